import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Visitor } from '../../data/account/sessions.ts'
import { addToken, endToken, listTokens, renewToken } from '../../data/account/token-settings.ts'
import { hashSecret } from '../../data/account/tokens.ts'
import { lastTargets } from '../../data/targets.ts'
import { databaseNow } from '../../database/db.ts'
import { maxTokens } from '../../domain/account/token.ts'
import { parseLastDay, parseToken, tokenFields } from '../../domain/account/token-rights.ts'
import { allValid } from '../../domain/field-parsing.ts'
import { utcDayOf } from '../../domain/time.ts'
import { showOnce } from '../../http/cookies.ts'
import {
  type FormContext,
  type FormContextOfOne,
  formHandler,
  pageOfForm,
  type Refused,
  validOf,
} from '../../http/forms.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { TokensPage } from '../../views/settings/tokens.tsx'
import { newTokenCookie, type SettingsOptions, settingsForms, tokenRows } from './form.tsx'
import { ownedForms } from './owned.ts'

const kind = {
  noun: 'token',
  max: maxTokens,
  field: 'name',
  known: 'is the name of another of your tokens',
  idIn: idOf,
} as const

/** The page and the forms of /settings/tokens (docs/decisions.md#accounts). */
export function tokenSettings(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { recentlyConfirmed } = settingsForms(options)
  const { found, named, added, changed } = ownedForms(kind, logSecurity)
  const cookie = newTokenCookie(site.baseUrl)

  const showNew = (refused: Refused, { visitor }: FormContext) =>
    tokensPage(visitor, { refused: { ...refused, of: 'new' } })
  const showOne = (refused: Refused, { visitor, params }: FormContextOfOne) =>
    tokensPage(visitor, { refused: { ...refused, of: idOf(params.id) ?? 0 } })

  return new Elysia({ name: 'settings-tokens' })
    .use(owner(pages))
    .get('/settings/tokens', ({ request, query: { done }, visitor }) => {
      const notice = done === 'ended' ? 'The token has ended.' : null
      return showOnce(request, [cookie], (secretIn) =>
        tokensPage(visitor, { newToken: secretIn(cookie), notice }),
      )
    })
    .post(
      '/settings/tokens',
      formHandler([...tokenFields, 'password'], showNew, async (context, { password, ...typed }) => {
        const { user } = context.visitor
        const values = validOf(parseToken(typed, await today()))
        await recentlyConfirmed(context, password)
        const token = added(await addToken(db, user.id, values))
        logSecurity('token_added', context, user.username)
        return seeOther('/settings/tokens', [cookie.set(token)])
      }),
    )
    .post(
      '/settings/tokens/:id/roll',
      formHandler(['keep_old', 'ends', 'password'], showOne, async (context, typed) => {
        const { ends: endsOn } = validOf(allValid({ ends: parseLastDay(typed.ends, await today()) }))
        await recentlyConfirmed(context, typed.password)
        const roll = { keepOld: typed.keep_old === '24h', endsOn }
        const token = found(await renewToken(db, named(context), roll))
        logSecurity('token_rolled', context, context.visitor.user.username)
        return seeOther('/settings/tokens', [cookie.set(token)])
      }),
    )
    .post('/settings/tokens/:id/end', (context) =>
      changed(context, (of) => endToken(db, of), '/settings/tokens?done=ended', { event: 'token_ended' }),
    )

  /** The number of the present day, by the database. */
  async function today(): Promise<number> {
    return utcDayOf(await databaseNow(db))
  }

  async function tokensPage(
    { user, hasJustSignedIn }: Visitor,
    { newToken = null, notice = null, refused = null }: Shown,
  ): Promise<Response> {
    const [stored, targets, now] = await Promise.all([
      listTokens(db, user.id),
      lastTargets(db, user.id),
      databaseNow(db),
    ])
    const added = newToken === null ? undefined : stored.find(({ hash }) => hash === hashSecret(newToken))
    const markup = (
      <TokensPage
        {...{ site, now, notice, refused, targets, ...tokenRows(stored) }}
        viewer={user}
        newToken={newToken === null || added === undefined ? null : { secret: newToken, name: added.name }}
        asksPassword={!hasJustSignedIn}
      />
    )
    return pageOfForm(markup, refused)
  }
}

type Shown = Partial<Pick<Parameters<typeof TokensPage>[0], 'notice' | 'refused'>> & {
  readonly newToken?: string | null
}
