import { Elysia } from 'elysia'
import { newReadKeyCookie, newTokenCookie } from '../../http/cookies.ts'
import { owner } from '../../http/visitor.ts'
import type { SettingsNotice } from '../../views/settings/settings-page.tsx'
import { accountForms } from './account.ts'
import { settingsExport } from './export.ts'
import { type SettingsOptions, settingsRenderer } from './form.tsx'
import { publisherForms } from './publishers.ts'
import { tokenForms, tokenSettings } from './tokens.tsx'

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, SettingsNotice> = new Map([
  ['publisher-added', { panel: 'publishers', text: 'Publisher added.', showsSteps: true }],
  ['publisher-removed', { panel: 'publishers', text: 'Publisher removed.' }],
  ['profile', { panel: 'profile', text: 'Your display name is saved.' }],
  [
    'password',
    { panel: 'password', text: 'Your password is changed, and you are signed out everywhere else.' },
  ],
  ['history', { panel: 'history', text: 'Your history is removed.' }],
  ['history-soon', { panel: 'history', text: 'Your history is being removed. Look again in a moment.' }],
  ['sessions', { panel: 'sessions', text: 'You are signed out everywhere else.' }],
])

/** GET /settings, its forms and the export, and the page of tokens. */
export function settings(options: SettingsOptions) {
  const render = settingsRenderer(options)
  const tokenCookie = newTokenCookie(options.site.baseUrl)
  const keyCookie = newReadKeyCookie(options.site.baseUrl)

  return new Elysia({ name: 'settings' })
    .use(owner(options.pages))
    .get('/settings', async ({ query, request, visitor }) => {
      const newToken = tokenCookie.read(request)
      const newKey = keyCookie.read(request)
      const notice = notices.get(query.done) ?? null
      const response = await render(visitor, { notice, newToken, newKey })
      if (newToken !== null) response.headers.append('Set-Cookie', tokenCookie.clear())
      if (newKey !== null) response.headers.append('Set-Cookie', keyCookie.clear())
      return response
    })
    .use(tokenForms(options))
    .use(tokenSettings(options))
    .use(publisherForms(options))
    .use(accountForms(options))
    .use(settingsExport(options))
}
