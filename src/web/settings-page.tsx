import { Html } from '@elysiajs/html'
import type { Db } from '../data/database.ts'
import { hashSecret } from '../data/secret.ts'
import { listSessions } from '../data/sessions.ts'
import { listTokens, type Token } from '../data/tokens.ts'
import type { Reasons } from '../domain/announcement.ts'
import { deviceOf } from '../domain/device.ts'
import type { User } from '../domain/user.ts'
import { SettingsPage } from '../views/settings.tsx'
import type { Site } from '../views/site.ts'
import { page } from './respond.ts'

type Owner = { db: Db; site: Site; viewer: User; session: string }

type Shown = {
  values?: { name: string }
  reasons: Reasons
  notice?: string | null
  newToken?: string | null
}

/** The owner's page: as it is, or with the reasons why a form was refused. */
export async function settingsPage({ db, site, viewer, session }: Owner, shown: Shown): Promise<Response> {
  const { values = { name: viewer.name }, reasons, notice = null, newToken = null } = shown
  const [tokens, { sessions, now }] = await Promise.all([
    listTokens(db, viewer.id),
    listSessions(db, viewer.id),
  ])
  const token = tokens.find(({ expiresAt }) => expiresAt === null) ?? null
  const markup = (
    <SettingsPage
      site={site}
      viewer={viewer}
      now={now}
      token={token}
      oldToken={oldTokenOf(tokens, token)}
      newToken={newToken !== null && hashSecret(newToken) === token?.hash ? newToken : null}
      sessions={sessions.map(({ hash, device, ...times }) => ({
        ...times,
        current: hash === session,
        device: deviceOf(device),
      }))}
      notice={notice}
      values={values}
      reasons={reasons}
    />
  )
  return page(markup, { status: Object.keys(reasons).length === 0 ? 200 : 422, isPrivate: true })
}

function oldTokenOf(tokens: readonly Token[], current: Token | null) {
  const old = tokens.find(({ expiresAt }) => expiresAt !== null)
  if (old === undefined || old.expiresAt === null) return null
  const usedSinceRoll = old.lastUsedAt !== null && current !== null && old.lastUsedAt > current.createdAt
  return { lastFour: old.lastFour, expiresAt: old.expiresAt, lastUsedAt: old.lastUsedAt, usedSinceRoll }
}
