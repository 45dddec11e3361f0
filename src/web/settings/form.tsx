import { Html } from '@elysiajs/html'
import { checkPassword } from '../../data/account/passwords.ts'
import { listPublishers } from '../../data/account/publishers.ts'
import { findReadKey } from '../../data/account/read-keys.ts'
import { listSessions, type Visitor } from '../../data/account/sessions.ts'
import { isRolled, listTokens, type StoredToken } from '../../data/account/token-settings.ts'
import { hashSecret } from '../../data/account/tokens.ts'
import { readChecklist } from '../../data/account/users.ts'
import { countImported } from '../../data/import.ts'
import { listRefusals } from '../../data/refusals.ts'
import { defaultToken } from '../../domain/account/token.ts'
import { waitInWords } from '../../domain/time.ts'
import { type FormContext, formHandler, pageOfForm, RefusedForm } from '../../http/forms.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { type PanelName, SettingsPage } from '../../views/settings/settings-page.tsx'
import type { Dependencies } from '../route-dependencies.ts'

export type SettingsOptions = Pick<Dependencies, 'db' | 'site' | 'pages' | 'logSecurity'>

/** Throws the 404 for something that its owner has no longer, such as one that was deleted in another window. */
export function found(isFound: boolean, noun: 'token' | 'publisher' | 'intake' | 'webhook'): asserts isFound {
  if (isFound) return
  throw new Problem('not_found', `You no longer have this ${noun}. The settings list those you have.`)
}

type Shown = Partial<Pick<Parameters<typeof SettingsPage>[0], 'notice' | 'newToken' | 'newKey' | 'refused'>>

export function settingsForms({ db, site, logSecurity }: SettingsOptions) {
  /** Throws RefusedForm, with the reason for the named field, if this is not the visitor's password. */
  async function confirmed(context: FormContext, password: string, field = 'password'): Promise<void> {
    // A proxy has signed the visitor in, and no user has a password.
    if (!site.hasPasswords) return
    const { user, sessionHash } = context.visitor
    const checked = await checkPassword(db, { username: user.username, password, from: { sessionHash } })
    if (checked.outcome === 'right') return
    // Another request has deleted the account since the session was read.
    if (checked.userId === null) throw new SignInRequired()
    logSecurity('password_refused', context, user.username)
    if (checked.outcome === 'wrong') throw new RefusedForm({ [field]: ['is not your password'] })
    const reason = `was wrong too often. Try again in ${waitInWords(checked.retryAfterSeconds)}`
    throw new RefusedForm({ [field]: [reason] })
  }

  async function render({ user, sessionHash, hasJustSignedIn }: Visitor, shown: Shown): Promise<Response> {
    const { notice = null, newToken = null, newKey = null, refused = null } = shown
    const [stored, readKey, publishers, refusals, checklist, imported, { sessions, now }] = await Promise.all(
      [
        listTokens(db, user.id),
        site.membersOnly ? findReadKey(db, user.id) : null,
        site.issuers.length === 0 ? [] : listPublishers(db, user.id),
        listRefusals(db, user.id),
        readChecklist(db, user.id),
        countImported(db, user.id),
        listSessions(db, user.id),
      ],
    )
    const { tokens } = tokenRows(stored)
    const token = tokens.find(({ name }) => name === defaultToken) ?? null
    const markup = (
      <SettingsPage
        {...{ site, now, token, notice, refused, sessionHash }}
        {...{ readKey, publishers, refusals, checklist, imported, sessions }}
        viewer={user}
        newToken={newToken !== null && hashSecret(newToken) === token?.hash ? newToken : null}
        otherTokens={tokens.length - (token === null ? 0 : 1)}
        newKey={newKey !== null && hashSecret(newKey) === readKey?.hash ? newKey : null}
        asksPassword={!hasJustSignedIn}
      />
    )
    return pageOfForm(markup, refused)
  }

  return {
    confirmed,
    render,

    /** The same, unless the visitor has just signed in. It keeps a borrowed browser from making a token or key. */
    async recentlyConfirmed(context: FormContext, password: string): Promise<void> {
      if (!context.visitor.hasJustSignedIn) await confirmed(context, password)
    },

    /** Makes the handler of the form in a panel of /settings from one that may throw RefusedForm. */
    form<Name extends string>(
      panel: PanelName,
      fields: readonly Name[],
      handle: (context: FormContext, typed: Readonly<Record<Name, string>>) => Promise<Response>,
    ) {
      return formHandler(
        fields,
        (refused, { visitor }: FormContext) => render(visitor, { refused: { ...refused, panel } }),
        handle,
      )
    },
  }
}

/** The tokens of an owner, each with the one that it replaced, and the replaced ones whose new one has ended. */
export function tokenRows(stored: readonly StoredToken[]) {
  const rolled = stored.filter(isRolled)
  const tokens = stored
    .filter((one) => !isRolled(one))
    .map((token) => ({ ...token, old: rolled.find(({ name }) => name === token.name) ?? null }))
  const left = rolled.filter((old) => tokens.every(({ name }) => name !== old.name))
  return { tokens, left }
}
