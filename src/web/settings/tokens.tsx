import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Visitor } from '../../data/account/sessions.ts'
import { addToken, endToken, listTokens, renewToken } from '../../data/account/token-settings.ts'
import { hashSecret } from '../../data/account/tokens.ts'
import { lastTargets } from '../../data/targets.ts'
import { databaseNow } from '../../database/db.ts'
import { mostTokens } from '../../domain/account/token.ts'
import { parseLastDay, parseToken, tokenFields } from '../../domain/account/token-rights.ts'
import { allValid } from '../../domain/field-parsing.ts'
import { utcDayOf } from '../../domain/time.ts'
import { secretCookie } from '../../http/cookies.ts'
import {
  type FormContext,
  type FormContextOfOne,
  formHandler,
  pageOfForm,
  type Refused,
  RefusedForm,
  validOf,
} from '../../http/forms.ts'
import { SignInRequired } from '../../http/problem.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { TokensPage } from '../../views/settings/tokens.tsx'
import { found, type SettingsOptions, settingsForms, tokenRows } from './form.tsx'

const addRefusals = {
  known: 'is the name of another of your tokens',
  full: `cannot be added: you have ${mostTokens} tokens, which is the limit`,
} as const

/** The page and the forms of /settings/tokens (docs/decisions.md#accounts). */
export function tokenSettings(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { recentlyConfirmed } = settingsForms(options)
  const cookie = secretCookie(site.baseUrl, 'new-token')

  const showNew = (refused: Refused, { visitor }: FormContext) =>
    tokensPage(visitor, { refused: { ...refused, of: 'new' } })
  const showOne = (refused: Refused, { visitor, params }: FormContextOfOne) =>
    tokensPage(visitor, { refused: { ...refused, of: idOf(params.id) ?? 0 } })

  return new Elysia({ name: 'settings-tokens' })
    .use(owner(pages))
    .get('/settings/tokens', async ({ request, query: { done }, visitor }) => {
      const newToken = cookie.read(request)
      const notice = done === 'ended' ? 'The token has ended.' : null
      const response = await tokensPage(visitor, { newToken, notice })
      if (newToken !== null) response.headers.append('Set-Cookie', cookie.clear())
      return response
    })
    .post(
      '/settings/tokens',
      formHandler([...tokenFields, 'password'], showNew, async (context, { password, ...typed }) => {
        const { user } = context.visitor
        const values = validOf(parseToken(typed, await today()))
        await recentlyConfirmed(context, password)
        const added = await addToken(db, user.id, values)
        if (added.outcome === 'gone') throw new SignInRequired()
        if (added.outcome !== 'added') throw new RefusedForm({ name: [addRefusals[added.outcome]] })
        logSecurity('token_added', context, user.username)
        return seeOther('/settings/tokens', [cookie.set(added.token)])
      }),
    )
    .post(
      '/settings/tokens/:id/roll',
      formHandler(['keep_old', 'ends', 'password'], showOne, async (context, typed) => {
        const { user } = context.visitor
        const { ends: endsOn } = validOf(allValid({ ends: parseLastDay(typed.ends, await today()) }))
        await recentlyConfirmed(context, typed.password)
        const of = { userId: user.id, id: idOf(context.params.id) ?? 0 }
        const token = await renewToken(db, of, { keepOld: typed.keep_old === '24h', endsOn })
        found(token !== null, 'token')
        logSecurity('token_rolled', context, user.username)
        return seeOther('/settings/tokens', [cookie.set(token)])
      }),
    )
    .post('/settings/tokens/:id/end', async ({ request, server, visitor: { user }, params }) => {
      found(await endToken(db, { userId: user.id, id: idOf(params.id) ?? 0 }), 'token')
      logSecurity('token_ended', { request, server }, user.username)
      return seeOther('/settings/tokens?done=ended')
    })

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
