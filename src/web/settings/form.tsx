import { Html } from '@elysiajs/html'
import { checkPassword } from '../../data/account/passwords.ts'
import { listSessions, type Visitor } from '../../data/account/sessions.ts'
import { isRolled, listTokens, type StoredToken } from '../../data/account/token-settings.ts'
import { hashSecret } from '../../data/account/tokens.ts'
import { readChecklist } from '../../data/account/users.ts'
import { countImported } from '../../data/imported.ts'
import { listRefusals } from '../../data/refused-calls.ts'
import { databaseNow } from '../../database/db.ts'
import { defaultToken, isToken } from '../../domain/account/token.ts'
import { waitInWords } from '../../domain/time.ts'
import { onceCookie, type SecretCookie } from '../../http/cookies.ts'
import { type FormContext, formHandler, pageOfForm, RefusedForm } from '../../http/forms.ts'
import { SignInRequired } from '../../http/problem.ts'
import type { LinkedPage, ShownPanel } from '../../views/settings/section.ts'
import { type SettingsNotice, SettingsPage } from '../../views/settings/settings-page.tsx'
import type { Dependencies } from '../route-dependencies.ts'
import type { SettingsSection } from './section.ts'

export type SettingsOptions = Pick<
  Dependencies,
  'db' | 'tables' | 'site' | 'sections' | 'pages' | 'logSecurity'
>

export const newTokenCookie = (baseUrl: string) => onceCookie(baseUrl, 'new-token', isToken)

type Shown = Partial<Pick<Parameters<typeof SettingsPage>[0], 'newToken' | 'refused'>> & {
  /** That of the redirect after a form. */
  readonly done?: string | undefined
  /** Gives the secrets to show. */
  readonly secretIn?: (cookie: SecretCookie) => string | null
}

/** The message after a form of the core that succeeded, by the `done` of its redirect. */
const ownNotices: Readonly<Record<string, SettingsNotice>> = {
  profile: { panel: 'profile', text: 'Your display name is saved.' },
  environments: { panel: 'environments', text: 'Your order of environments is saved.' },
  password: {
    panel: 'password',
    text: 'Your password is changed, and you are signed out everywhere else.',
  },
  history: { panel: 'history', text: 'Your history is removed.' },
  'history-soon': { panel: 'history', text: 'Your history is being removed. Look again in a moment.' },
  sessions: { panel: 'sessions', text: 'You are signed out everywhere else.' },
}

export function settingsForms({ db, site, sections, logSecurity }: SettingsOptions) {
  const notices: ReadonlyMap<string | null, SettingsNotice> = new Map([
    ...Object.entries(ownNotices),
    ...sections.flatMap(noticesOf),
  ])

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
    const { done = null, newToken = null, secretIn = () => null, refused = null } = shown
    const [stored, brought, refusals, checklist, imported, sessions, now] = await Promise.all([
      listTokens(db, user.id),
      Promise.all(sections.map(readSection)),
      listRefusals(db, user.id),
      readChecklist(db, user.id),
      countImported(db, user.id),
      listSessions(db, user.id),
      databaseNow(db),
    ])
    const { tokens } = tokenRows(stored)
    const token = tokens.find(({ name }) => name === defaultToken) ?? null
    const markup = (
      <SettingsPage
        {...{ site, now, token, refused, sessionHash, refusals, checklist, imported, sessions }}
        viewer={user}
        sections={brought}
        notice={notices.get(done) ?? null}
        newToken={newToken !== null && hashSecret(newToken) === token?.hash ? newToken : null}
        otherTokens={tokens.length - (token === null ? 0 : 1)}
        asksPassword={!hasJustSignedIn}
      />
    )
    return pageOfForm(markup, refused)

    async function readSection(section: SettingsSection): Promise<LinkedPage | ShownPanel> {
      if (!('read' in section)) return section
      const { id, name, read, secret } = section
      const content = await read(user)
      const brought = { done, secret: secret === undefined ? null : secretIn(secret) }
      return { id, name, show: (panel) => content({ ...panel, ...brought }) }
    }
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
      panel: string,
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

function noticesOf(section: SettingsSection): readonly (readonly [done: string, SettingsNotice])[] {
  const texts = ('read' in section && section.notices) || {}
  return Object.entries(texts).map(([done, text]) => [done, { panel: section.id, text }])
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
