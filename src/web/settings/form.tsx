import { Html } from '@elysiajs/html'
import type { Server } from 'bun'
import { checkPassword } from '../../data/account/passwords.ts'
import { listPublishers } from '../../data/account/publishers.ts'
import { findReadKey } from '../../data/account/read-keys.ts'
import { listSessions, type Visitor } from '../../data/account/sessions.ts'
import { isRolled, listTokens, type StoredToken } from '../../data/account/token-settings.ts'
import { hashSecret } from '../../data/account/tokens.ts'
import { readChecklist } from '../../data/account/users.ts'
import { countHistory } from '../../data/history.ts'
import { listRefusals } from '../../data/refusals.ts'
import type { Db } from '../../database/db.ts'
import { deviceOf, shownSource } from '../../domain/account/devices-and-pipelines.ts'
import { defaultToken } from '../../domain/account/token.ts'
import type { Reasons } from '../../domain/text-fields.ts'
import { waitInWords } from '../../domain/time.ts'
import { page } from '../../http/responses.ts'
import type { SecurityLog } from '../../http/security-log.ts'
import type { Pages } from '../../http/visitor.ts'
import type { Site } from '../../views/page/site.ts'
import { type PanelName, type SettingsNotice, SettingsPage } from '../../views/settings/settings-page.tsx'

export type SettingsOptions = {
  readonly db: Db
  readonly site: Site
  readonly pages: Pages
  readonly logSecurity: SecurityLog
}

/** The context of a handler of a form. */
export type FormContext = {
  readonly request: Request
  readonly server: Server<unknown> | null
  readonly visitor: Visitor
}

type Refused = {
  readonly reasons: Reasons
  /** The values that were typed, to be shown again. */
  readonly values?: Partial<typeof noValues>
  /** Seconds until the form can be sent again. */
  readonly retryAfterSeconds?: number
}

/** Ends the handler of a form, which is then answered with the page and the reasons. */
export class RefusedForm extends Error {
  readonly refused: Refused

  constructor(refused: Refused) {
    super('The form was refused.')
    this.refused = refused
  }
}

type Handler = (context: FormContext) => Promise<Response>

export function settingsForms(options: SettingsOptions) {
  const { db, site, logSecurity } = options
  const render = settingsRenderer(options)

  return {
    /** Makes the handler of the form in a panel from one that may throw RefusedForm. */
    form(panel: PanelName, handle: Handler): Handler {
      return async (context) => {
        try {
          return await handle(context)
        } catch (error) {
          if (!(error instanceof RefusedForm)) throw error
          return await render(context.visitor, { panel, ...error.refused })
        }
      }
    },

    /** Throws RefusedForm, with the reason for the named field, if this is not the visitor's password. */
    async confirmed(
      { request, server, visitor: { user, sessionHash } }: FormContext,
      password: string,
      { field = 'password', values }: { field?: string; values?: Refused['values'] } = {},
    ): Promise<void> {
      // A proxy has signed the visitor in, and no user has a password.
      if (!site.hasPasswords) return
      const { username } = user
      const checked = await checkPassword(db, { username, password, from: { sessionHash } })
      if (checked.outcome === 'right') return
      logSecurity('password_refused', { request, server }, username)
      const typed = values === undefined ? {} : { values }
      if (checked.outcome === 'wrong') {
        throw new RefusedForm({ reasons: { [field]: ['is not your password'] }, ...typed })
      }
      const { retryAfterSeconds } = checked
      const reason = `was wrong too often. Try again in ${waitInWords(retryAfterSeconds)}`
      throw new RefusedForm({ reasons: { [field]: [reason] }, ...typed, retryAfterSeconds })
    },
  }
}

const noValues = { name: '', username: '', issuer: '', repository: '', workflow: '', environment: '' }

type Shown = Partial<Refused> & {
  /** The panel whose form was refused. */
  readonly panel?: PanelName
  readonly notice?: SettingsNotice | null
  readonly newToken?: string | null
  readonly newKey?: string | null
}

/** Makes the function that answers with the settings page of a visitor. */
export function settingsRenderer({ db, site }: SettingsOptions) {
  return async ({ user, sessionHash, hasJustSignedIn }: Visitor, shown: Shown): Promise<Response> => {
    const { panel = null, reasons = {}, values, notice = null, newToken = null, newKey = null } = shown
    const [tokens, readKey, publishers, refusals, checklist, imported, { sessions, now }] = await Promise.all(
      [
        listTokens(db, user.id),
        site.membersOnly ? findReadKey(db, user.id) : null,
        site.issuers.length === 0 ? [] : listPublishers(db, user.id),
        listRefusals(db, user.id),
        readChecklist(db, user.id),
        countHistory(db, user.id),
        listSessions(db, user.id),
      ],
    )
    const present = tokens.filter((one) => !isRolled(one))
    const found = present.find(({ name }) => name === defaultToken) ?? null
    const token = found === null ? null : { ...found, lastUsedFrom: shownSource(found.lastUsedFrom) }
    const markup = (
      <SettingsPage
        site={site}
        viewer={user}
        now={now}
        token={token}
        oldToken={token === null ? null : oldTokenOf(tokens, token)}
        newToken={newToken !== null && hashSecret(newToken) === token?.hash ? newToken : null}
        otherTokens={present.length - (token === null ? 0 : 1)}
        readKey={readKey}
        newKey={newKey !== null && hashSecret(newKey) === readKey?.hash ? newKey : null}
        publishers={publishers}
        refusals={refusals}
        checklist={checklist}
        imported={imported}
        sessions={sessions.map(({ hash, device, ...times }) => ({
          ...times,
          current: hash === sessionHash,
          device: deviceOf(device),
        }))}
        notice={notice}
        values={{ ...noValues, name: user.name, ...values }}
        refused={panel === null ? null : { panel, reasons }}
        asksPassword={!hasJustSignedIn}
      />
    )
    const answer = shown.panel === undefined ? {} : refusalStatus(shown.retryAfterSeconds)
    return page(markup, { ...answer, isPrivate: true })
  }
}

/** The status of the answer to a refused form, and when to try again if there were too many passwords. */
export function refusalStatus(retryAfterSeconds: number | undefined) {
  if (retryAfterSeconds === undefined) return { status: 422 }
  return { status: 429, headers: { 'Retry-After': String(retryAfterSeconds) } }
}

/** The token that a present one was rolled from, if it still works, as pages show it. */
export function oldTokenOf(tokens: readonly StoredToken[], current: StoredToken) {
  const old = tokens.find((one) => isRolled(one) && one.name === current.name)
  if (old === undefined || old.expiresAt === null) return null
  const usedSinceRoll = old.lastUsedAt !== null && old.lastUsedAt > current.createdAt
  return { lastFour: old.lastFour, expiresAt: old.expiresAt, lastUsedAt: old.lastUsedAt, usedSinceRoll }
}
