import { Html } from '@elysiajs/html'
import { listRefusals } from '../../data/refusals.ts'
import { hashSecret } from '../../data/secret.ts'
import { listSessions } from '../../data/sessions.ts'
import { listTokens, type Token } from '../../data/tokens.ts'
import type { Db } from '../../database/db.ts'
import { deviceOf } from '../../domain/device.ts'
import type { Reasons } from '../../domain/reasons.ts'
import type { User } from '../../domain/user.ts'
import { page } from '../../http/respond.ts'
import type { Site } from '../../views/page/site.ts'
import { type Notice, SettingsPage } from '../../views/settings/page.tsx'

type Owner = { db: Db; site: Site; viewer: User; session: string }

type Shown = {
  values?: { name?: string; username?: string }
  reasons: Reasons
  notice?: Notice | null
  newToken?: string | null
  /** Seconds until a form that was sent too often can be sent again. */
  retryAfterSeconds?: number
}

/** The owner's page: as it is, or with the reasons why a form was refused. */
export async function settingsPage({ db, site, viewer, session }: Owner, shown: Shown): Promise<Response> {
  const { values, reasons, notice = null, newToken = null } = shown
  const [tokens, refusals, { sessions, now }] = await Promise.all([
    listTokens(db, viewer.id),
    listRefusals(db, viewer.id),
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
      refusals={refusals}
      sessions={sessions.map(({ hash, device, ...times }) => ({
        ...times,
        current: hash === session,
        device: deviceOf(device),
      }))}
      notice={notice}
      values={{ name: viewer.name, username: '', ...values }}
      reasons={reasons}
    />
  )
  return page(markup, { ...statusOf(shown), isPrivate: true })
}

function statusOf({ reasons, retryAfterSeconds }: Shown) {
  if (retryAfterSeconds !== undefined) {
    return { status: 429, headers: { 'Retry-After': String(retryAfterSeconds) } }
  }
  return { status: Object.keys(reasons).length === 0 ? 200 : 422 }
}

function oldTokenOf(tokens: readonly Token[], current: Token | null) {
  const old = tokens.find(({ expiresAt }) => expiresAt !== null)
  if (old === undefined || old.expiresAt === null) return null
  const usedSinceRoll = old.lastUsedAt !== null && current !== null && old.lastUsedAt > current.createdAt
  return { lastFour: old.lastFour, expiresAt: old.expiresAt, lastUsedAt: old.lastUsedAt, usedSinceRoll }
}
