import { Elysia } from 'elysia'
import { rollToken } from '../../data/account/tokens.ts'
import { readForm } from '../../http/body.ts'
import { newTokenCookie } from '../../http/cookies.ts'
import { owner } from '../../http/pages.ts'
import { SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/respond.ts'
import { ownPasswordRefusal } from './own-password.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

/** POST /settings/token: generates or rolls a token. Somebody who has just signed in needs no password. */
export function tokenForm(options: SettingsOptions) {
  const { db, site, pages, tell } = options
  const render = settingsRenderer(options)
  const cookie = newTokenCookie(site.baseUrl)

  return new Elysia({ name: 'settings-token' })
    .use(owner(pages))
    .post('/settings/token', async ({ request, server, viewer, sessionHash, hasJustSignedIn }) => {
      const visitor = { viewer, sessionHash, hasJustSignedIn }
      const { keep_old, password } = await readForm(request, ['keep_old', 'password'])
      const refusal = hasJustSignedIn ? null : await ownPasswordRefusal(db, visitor, password)
      if (refusal !== null) {
        tell('password_refused', { request, server }, viewer.username)
        const { reason, retryAfterSeconds } = refusal
        return await render(visitor, { panel: 'token', reasons: { password: [reason] }, retryAfterSeconds })
      }
      const token = await rollToken(db, viewer.id, { keepOld: keep_old === '24h' })
      if (token === null) throw new SignInRequired()
      tell('token_rolled', { request, server }, viewer.username)
      return seeOther('/settings#token', [cookie.set(token)])
    })
}
