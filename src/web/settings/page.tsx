import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { readChecklist } from '../../data/account/checklist.ts'
import { listPublishers } from '../../data/account/publishers.ts'
import { hashSecret } from '../../data/account/secret.ts'
import { listSessions, type Visitor } from '../../data/account/sessions.ts'
import { listTokens, type Token } from '../../data/account/tokens.ts'
import { listRefusals } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import { deviceOf } from '../../domain/account/device.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { newTokenCookie } from '../../http/cookies.ts'
import type { SecurityLog } from '../../http/log/security-log.ts'
import { owner, type Pages } from '../../http/pages.ts'
import { page } from '../../http/respond.ts'
import type { Site } from '../../views/page/site.ts'
import { type Notice, type PanelName, SettingsPage } from '../../views/settings/page.tsx'

export type SettingsOptions = {
  readonly db: Db
  readonly site: Site
  readonly pages: Pages
  readonly tell: SecurityLog
}

/** What a form says after success, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, Notice> = new Map(
  (
    [
      { panel: 'publishers', text: 'Your publishers are saved.' },
      { panel: 'profile', text: 'Your display name is saved.' },
      { panel: 'password', text: 'Your password is changed, and you are signed out everywhere else.' },
      { panel: 'sessions', text: 'You are signed out everywhere else.' },
    ] as const
  ).map((notice) => [notice.panel, notice]),
)

/** GET /settings: the owner's page. */
export function settingsPage(options: SettingsOptions) {
  const render = settingsRenderer(options)
  const cookie = newTokenCookie(options.site.baseUrl)

  return new Elysia({ name: 'settings-page' })
    .use(owner(options.pages))
    .get('/settings', async ({ query, request, viewer, sessionHash, hasJustSignedIn }) => {
      const visitor = { viewer, sessionHash, hasJustSignedIn }
      const newToken = cookie.read(request)
      const notice = notices.get(query.done) ?? null
      const response = await render(visitor, { notice, newToken })
      if (newToken !== null) response.headers.append('Set-Cookie', cookie.clear())
      return response
    })
}

type Outcome = {
  /** The panel whose form was refused, why, and what was typed. */
  panel?: PanelName
  reasons?: Reasons
  values?: Partial<typeof noValues>
  notice?: Notice | null
  newToken?: string | null
  /** Seconds until a form that was sent too often can be sent again. */
  retryAfterSeconds?: number | undefined
}

const noValues = { name: '', username: '', issuer: '', repository: '', workflow: '', environment: '' }

/** Makes the function that answers with the owner's page, or with the reasons why a form was refused. */
export function settingsRenderer({ db, site }: SettingsOptions) {
  return async ({ viewer, sessionHash, hasJustSignedIn }: Visitor, outcome: Outcome): Promise<Response> => {
    const { panel = null, reasons = {}, values, notice = null, newToken = null } = outcome
    const [tokens, publishers, refusals, checklist, { sessions, now }] = await Promise.all([
      listTokens(db, viewer.id),
      site.issuers.length === 0 ? [] : listPublishers(db, viewer.id),
      listRefusals(db, viewer.id),
      readChecklist(db, viewer.id),
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
        publishers={publishers}
        refusals={refusals}
        checklist={checklist}
        sessions={sessions.map(({ hash, device, ...times }) => ({
          ...times,
          current: hash === sessionHash,
          device: deviceOf(device),
        }))}
        notice={notice}
        values={{ ...noValues, name: viewer.name, ...values }}
        refused={panel === null ? null : { panel, reasons }}
        asksPassword={!hasJustSignedIn}
      />
    )
    return page(markup, { ...statusOf(outcome), isPrivate: true })
  }
}

function statusOf({ panel, retryAfterSeconds }: Outcome) {
  if (retryAfterSeconds !== undefined) {
    return { status: 429, headers: { 'Retry-After': String(retryAfterSeconds) } }
  }
  return { status: panel === undefined ? 200 : 422 }
}

function oldTokenOf(tokens: readonly Token[], current: Token | null) {
  const old = tokens.find(({ expiresAt }) => expiresAt !== null)
  if (old === undefined || old.expiresAt === null) return null
  const usedSinceRoll = old.lastUsedAt !== null && current !== null && old.lastUsedAt > current.createdAt
  return { lastFour: old.lastFour, expiresAt: old.expiresAt, lastUsedAt: old.lastUsedAt, usedSinceRoll }
}
