import { Elysia } from 'elysia'
import { rollReadKey } from '../../data/account/read-keys.ts'
import { rollToken } from '../../data/account/token-settings.ts'
import { readForm } from '../../http/body.ts'
import { newReadKeyCookie, newTokenCookie } from '../../http/cookies.ts'
import { SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { type SettingsOptions, settingsForms } from './form.tsx'

/** POST /settings/token: generates or rolls a token. Right after signing in, this needs no password. */
export function tokenForm(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { form, confirmed } = settingsForms(options)
  const cookie = newTokenCookie(site.baseUrl)

  return new Elysia({ name: 'settings-token' }).use(owner(pages)).post(
    '/settings/token',
    form('token', async (context) => {
      const { request, server, visitor } = context
      const { keep_old, password } = await readForm(request, ['keep_old', 'password'])
      if (!visitor.hasJustSignedIn) await confirmed(context, password)
      const token = await rollToken(db, visitor.user.id, { keepOld: keep_old === '24h' })
      if (token === null) throw new SignInRequired()
      logSecurity('token_rolled', { request, server }, visitor.user.username)
      return seeOther('/settings#token', [cookie.set(token)])
    }),
  )
}

/** POST /settings/read-key: makes or rolls the read key. Right after signing in, this needs no password. */
export function readKeyForm(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const app = new Elysia({ name: 'settings-read-key' })
  if (!site.membersOnly) return app
  const { form, confirmed } = settingsForms(options)
  const cookie = newReadKeyCookie(site.baseUrl)

  return app.use(owner(pages)).post(
    '/settings/read-key',
    form('read-key', async (context) => {
      const { request, server, visitor } = context
      const { password } = await readForm(request, ['password'])
      if (!visitor.hasJustSignedIn) await confirmed(context, password)
      const key = await rollReadKey(db, visitor.user.id)
      if (key === null) throw new SignInRequired()
      logSecurity('read_key_rolled', { request, server }, visitor.user.username)
      return seeOther('/settings#read-key', [cookie.set(key)])
    }),
  )
}
