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
import { deviceOf, shownSource } from '../../domain/account/devices-and-pipelines.ts'
import { defaultToken } from '../../domain/account/token.ts'
import { waitInWords } from '../../domain/ages-and-days.ts'
import type { ParsedForm, Reasons } from '../../domain/field-parsing.ts'
import { readForm } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { page } from '../../http/responses.ts'
import { type PanelName, type SettingsNotice, SettingsPage } from '../../views/settings/settings-page.tsx'
import type { Dependencies } from '../route-dependencies.ts'

export type SettingsOptions = Pick<Dependencies, 'db' | 'site' | 'pages' | 'logSecurity'>

/** The context of a handler of a form. */
export type FormContext = {
  readonly request: Request
  readonly server: Server<unknown> | null
  readonly visitor: Visitor
}

/** The same for a form of one token or one intake. */
export type FormContextOfOne = FormContext & { readonly params: { readonly id: string } }

/** Ends the handler of a form, which is then answered with its page and the reasons. */
export class RefusedForm extends Error {
  readonly reasons: Reasons
  /** Seconds until the form can be sent again. */
  readonly retryAfterSeconds: number | undefined

  constructor(reasons: Reasons, retryAfterSeconds?: number) {
    super('The form was refused.')
    this.reasons = reasons
    this.retryAfterSeconds = retryAfterSeconds
  }
}

type Typed<Name extends string> = Readonly<Record<Name, string>>

/** What a refused form shows again: no page may contain a password. */
type ShownAgain<Name extends string> = Typed<Exclude<Name, `${string}password`>>

/** Makes the handler of a form with these fields: `handle` may throw RefusedForm, which `show` then answers. */
export function formHandler<Name extends string, Context extends FormContext>(
  fields: readonly Name[],
  show: (refused: RefusedForm, context: Context, typed: ShownAgain<Name>) => Promise<Response>,
  handle: (context: Context, typed: Typed<Name>) => Promise<Response>,
) {
  return async (context: Context): Promise<Response> => {
    const typed = await readForm(context.request, fields)
    try {
      return await handle(context, typed)
    } catch (error) {
      if (!(error instanceof RefusedForm)) throw error
      return await show(error, context, withoutPasswords(typed))
    }
  }
}

function withoutPasswords<Name extends string>(typed: Typed<Name>): ShownAgain<Name> {
  const shown = Object.entries(typed).filter(([name]) => !name.endsWith('password'))
  return Object.fromEntries(shown) as ShownAgain<Name>
}

/** The values of a form that was read. Throws RefusedForm if some are invalid. */
export function validOf<Values>(read: ParsedForm<Values>): Values {
  if (read.outcome === 'invalid') throw new RefusedForm(read.reasons)
  return read.values
}

/** Throws the 404 for something that its owner has no longer, such as one that was deleted in another window. */
export function found(isFound: boolean, noun: 'token' | 'publisher' | 'intake' | 'webhook'): asserts isFound {
  if (isFound) return
  throw new Problem('not_found', `You no longer have this ${noun}. The settings list those you have.`)
}

/** Answers with a page: 422 if it shows why a form was refused, and 429 after too many wrong passwords. */
export function pageOfForms(markup: JSX.Element, refused: RefusedForm | undefined): Response {
  if (refused === undefined) return page(markup, { isPrivate: true })
  const { retryAfterSeconds } = refused
  if (retryAfterSeconds === undefined) return page(markup, { status: 422, isPrivate: true })
  const headers = { 'Retry-After': String(retryAfterSeconds) }
  return page(markup, { status: 429, headers, isPrivate: true })
}

export function settingsForms(options: SettingsOptions) {
  const { db, site, logSecurity } = options
  const render = settingsRenderer(options)

  /** Throws RefusedForm, with the reason for the named field, if this is not the visitor's password. */
  async function confirmed(context: FormContext, password: string, field = 'password'): Promise<void> {
    // A proxy has signed the visitor in, and no user has a password.
    if (!site.hasPasswords) return
    const { user, sessionHash } = context.visitor
    const { username } = user
    const checked = await checkPassword(db, { username, password, from: { sessionHash } })
    if (checked.outcome === 'right') return
    logSecurity('password_refused', context, username)
    if (checked.outcome === 'wrong') throw new RefusedForm({ [field]: ['is not your password'] })
    const { retryAfterSeconds } = checked
    const reason = `was wrong too often. Try again in ${waitInWords(retryAfterSeconds)}`
    throw new RefusedForm({ [field]: [reason] }, retryAfterSeconds)
  }

  return {
    confirmed,

    /** The same, unless the visitor has just signed in. It keeps a borrowed browser from making a token or key. */
    async recentlyConfirmed(context: FormContext, password: string): Promise<void> {
      if (!context.visitor.hasJustSignedIn) await confirmed(context, password)
    },

    /** Makes the handler of the form in a panel of /settings from one that may throw RefusedForm. */
    form<Name extends string>(
      panel: PanelName,
      fields: readonly Name[],
      handle: (context: FormContext, typed: Typed<Name>) => Promise<Response>,
    ) {
      return formHandler(
        fields,
        (refused, { visitor }, typed) => render(visitor, { refused: { panel, why: refused, typed } }),
        handle,
      )
    },
  }
}

const noValues = { name: '', username: '', issuer: '', repository: '', workflow: '', environment: '' }

type Shown = {
  readonly notice?: SettingsNotice | null
  readonly newToken?: string | null
  readonly newKey?: string | null
  /** The panel whose form was refused, why, and what was typed. */
  readonly refused?: { readonly panel: PanelName; readonly why: RefusedForm; readonly typed: Typed<string> }
}

/** Makes the function that answers with the settings page of a visitor. */
export function settingsRenderer({ db, site }: SettingsOptions) {
  return async ({ user, sessionHash, hasJustSignedIn }: Visitor, shown: Shown): Promise<Response> => {
    const { notice = null, newToken = null, newKey = null, refused } = shown
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
        values={{ ...noValues, name: user.name, ...refused?.typed }}
        refused={refused === undefined ? null : { panel: refused.panel, reasons: refused.why.reasons }}
        asksPassword={!hasJustSignedIn}
      />
    )
    return pageOfForms(markup, refused?.why)
  }
}

/** The token that a present one was rolled from, if it still works, as pages show it. */
export function oldTokenOf(tokens: readonly StoredToken[], current: StoredToken) {
  const old = tokens.find((one) => isRolled(one) && one.name === current.name)
  if (old === undefined || old.expiresAt === null) return null
  const usedSinceRoll = old.lastUsedAt !== null && old.lastUsedAt > current.createdAt
  return { lastFour: old.lastFour, expiresAt: old.expiresAt, lastUsedAt: old.lastUsedAt, usedSinceRoll }
}
