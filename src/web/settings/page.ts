import { Elysia } from 'elysia'
import { rollToken } from '../../data/account/token-settings.ts'
import { showOnce } from '../../http/cookies.ts'
import { SignInRequired } from '../../http/problem.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { accountForms } from './account.ts'
import { settingsExport } from './export.ts'
import { newTokenCookie, type SettingsOptions, settingsForms } from './form.tsx'
import { tokenSettings } from './tokens.tsx'

/** GET /settings, its forms and the export, and the page of tokens. */
export function settings(options: SettingsOptions) {
  const { db, site, sections, pages, logSecurity } = options
  const { form, recentlyConfirmed, render } = settingsForms(options)
  const tokenCookie = newTokenCookie(site.baseUrl)
  const cookies = [tokenCookie, ...sections.flatMap((one) => ('read' in one && one.secret) || [])]

  return new Elysia({ name: 'settings' })
    .use(owner(pages))
    .get('/settings', ({ query: { done }, request, visitor }) =>
      showOnce(request, cookies, (secretIn) =>
        render(visitor, { done, newToken: secretIn(tokenCookie), secretIn }),
      ),
    )
    .post(
      '/settings/token',
      form('token', ['keep_old', 'password'], async (context, { keep_old, password }) => {
        const { user } = context.visitor
        await recentlyConfirmed(context, password)
        const token = await rollToken(db, user.id, { keepOld: keep_old === '24h' })
        if (token === null) throw new SignInRequired()
        logSecurity('token_rolled', context, user.username)
        return seeOther('/settings#token', [tokenCookie.set(token)])
      }),
    )
    .use(tokenSettings(options))
    .use(accountForms(options))
    .use(settingsExport(options))
}
