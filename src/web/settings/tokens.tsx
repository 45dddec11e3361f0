import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Visitor } from '../../data/account/sessions.ts'
import {
  addToken,
  endToken,
  isRolled,
  listTokens,
  renewToken,
  type StoredToken,
} from '../../data/account/token-settings.ts'
import { hashSecret } from '../../data/account/tokens.ts'
import { databaseNow } from '../../database/db.ts'
import { shownSource } from '../../domain/account/devices-and-pipelines.ts'
import { mostTokens } from '../../domain/account/token.ts'
import { parseLastDay, parseToken, type TokenValues, tokenFields } from '../../domain/account/token-rights.ts'
import { utcDayOf } from '../../domain/time.ts'
import { readForm } from '../../http/body.ts'
import { newTokenCookie } from '../../http/cookies.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { idOf, type QueryParameters } from '../../http/query-parameters.ts'
import { page, seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { TokensPage } from '../../views/settings/tokens.tsx'
import { oldTokenOf, RefusedForm, refusalStatus, type SettingsOptions, settingsForms } from './form.tsx'

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, string> = new Map([['ended', 'The token has ended.']])

const addRefusals = {
  known: 'is the name of another of your tokens',
  full: `cannot be added: you have ${mostTokens} tokens, which is the limit`,
} as const

/** The page and the forms of /settings/tokens (docs/decisions.md#accounts). */
export function tokenSettings(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { confirmed } = settingsForms(options)
  const cookie = newTokenCookie(site.baseUrl)

  return new Elysia({ name: 'settings-tokens' })
    .use(owner(pages))
    .get('/settings/tokens', async ({ request, query, visitor }) => {
      const newToken = cookie.read(request)
      const response = await tokensPage(visitor, { newToken, notice: noticeIn(query) })
      if (newToken !== null) response.headers.append('Set-Cookie', cookie.clear())
      return response
    })
    .post('/settings/tokens', async (context) => {
      const { request, server, visitor } = context
      const { password, ...typed } = await readForm(request, [...tokenFields, 'password'])
      return await refusable(visitor, { form: 'new', typed }, async () => {
        const parsed = parseToken(typed, await today())
        if (parsed.outcome === 'invalid') throw new RefusedForm({ reasons: parsed.reasons })
        if (!visitor.hasJustSignedIn) await confirmed(context, password)
        const added = await addToken(db, visitor.user.id, parsed.values)
        if (added.outcome === 'gone') throw new SignInRequired()
        if (added.outcome !== 'added')
          throw new RefusedForm({ reasons: { name: [addRefusals[added.outcome]] } })
        logSecurity('token_added', { request, server }, visitor.user.username)
        return seeOther('/settings/tokens', [cookie.set(added.token)])
      })
    })
    .post('/settings/tokens/:id/roll', async (context) => {
      const { request, server, visitor, params } = context
      const { keep_old, ends, password } = await readForm(request, ['keep_old', 'ends', 'password'])
      const id = idOf(params.id) ?? 0
      return await refusable(visitor, { form: id }, async () => {
        const endsOn = parseLastDay(ends, await today())
        if (endsOn.outcome === 'invalid') throw new RefusedForm({ reasons: { ends: endsOn.reasons } })
        if (!visitor.hasJustSignedIn) await confirmed(context, password)
        const changes = { keepOld: keep_old === '24h', endsOn: endsOn.value }
        const token = await renewToken(db, { userId: visitor.user.id, id }, changes)
        if (token === null) throw gone()
        logSecurity('token_rolled', { request, server }, visitor.user.username)
        return seeOther('/settings/tokens', [cookie.set(token)])
      })
    })
    .post('/settings/tokens/:id/end', async ({ request, server, visitor: { user }, params }) => {
      if (!(await endToken(db, { userId: user.id, id: idOf(params.id) ?? 0 }))) throw gone()
      logSecurity('token_ended', { request, server }, user.username)
      return seeOther('/settings/tokens?done=ended')
    })

  /** The number of the present day, by the database. */
  async function today(): Promise<number> {
    return utcDayOf(await databaseNow(db))
  }

  /** Answers with the page and the reasons if the handler of a form throws RefusedForm. */
  async function refusable(
    visitor: Visitor,
    { form, typed = nothingTyped }: { form: number | 'new'; typed?: TokenValues },
    handle: () => Promise<Response>,
  ): Promise<Response> {
    try {
      return await handle()
    } catch (error) {
      if (!(error instanceof RefusedForm)) throw error
      const { reasons, retryAfterSeconds } = error.refused
      return await tokensPage(
        visitor,
        { typed, refused: { form, reasons } },
        refusalStatus(retryAfterSeconds),
      )
    }
  }

  type Shown = Partial<Pick<Parameters<typeof TokensPage>[0], 'newToken' | 'notice' | 'typed' | 'refused'>>

  async function tokensPage(
    { user, hasJustSignedIn }: Visitor,
    { newToken = null, notice = null, typed = nothingTyped, refused = null }: Shown,
    answer: Partial<ReturnType<typeof refusalStatus>> = {},
  ): Promise<Response> {
    const [stored, now] = await Promise.all([listTokens(db, user.id), databaseNow(db)])
    const isOwn = newToken !== null && stored.some(({ hash }) => hash === hashSecret(newToken))
    const markup = (
      <TokensPage
        {...{ site, now, notice, typed, refused, ...rowsOf(stored) }}
        viewer={user}
        newToken={isOwn ? newToken : null}
        asksPassword={!hasJustSignedIn}
      />
    )
    return page(markup, { ...answer, isPrivate: true })
  }
}

function noticeIn({ done }: QueryParameters): string | null {
  return notices.get(done) ?? null
}

function gone(): Problem {
  return new Problem('not_found', 'You no longer have this token. The settings list those you have.')
}

const nothingTyped: TokenValues = {
  ...(Object.fromEntries(tokenFields.map((name) => [name, ''])) as TokenValues),
  announce: 'on',
}

/** Each token with the old one that it was rolled from, and the old tokens whose new one has ended. */
function rowsOf(stored: readonly StoredToken[]) {
  const present = stored.filter((one) => !isRolled(one))
  const left = stored.flatMap(({ id, name, lastFour, expiresAt }) =>
    expiresAt === null || present.some((one) => one.name === name) ? [] : [{ id, name, lastFour, expiresAt }],
  )
  const tokens = present.map((token) => ({
    ...token,
    lastUsedFrom: shownSource(token.lastUsedFrom),
    old: oldTokenOf(stored, token),
  }))
  return { tokens, left }
}
