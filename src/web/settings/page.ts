import { Elysia } from 'elysia'
import { addPublisher, removePublisher } from '../../data/account/publishers.ts'
import { rollReadKey } from '../../data/account/read-keys.ts'
import { rollToken } from '../../data/account/token-settings.ts'
import { mostPublishers, parsePublisher } from '../../domain/publisher/publisher-form.ts'
import { secretCookie } from '../../http/cookies.ts'
import { RefusedForm, validOf } from '../../http/forms.ts'
import { SignInRequired } from '../../http/problem.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import type { SettingsNotice } from '../../views/settings/settings-page.tsx'
import { accountForms } from './account.ts'
import { settingsExport } from './export.ts'
import { found, type SettingsOptions, settingsForms } from './form.tsx'
import { tokenSettings } from './tokens.tsx'

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

const publisherFields = ['issuer', 'repository', 'workflow', 'environment', 'password'] as const

const publisherRefusals = {
  known: 'is among your publishers already',
  full: `cannot be added: you have ${mostPublishers} publishers, which is the limit`,
} as const

/** GET /settings, its forms and the export, and the page of tokens. */
export function settings(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { form, recentlyConfirmed, render } = settingsForms(options)
  const tokenCookie = secretCookie(site.baseUrl, 'new-token')
  const keyCookie = secretCookie(site.baseUrl, 'new-read-key')

  const app = new Elysia({ name: 'settings' })
    .use(owner(pages))
    .get('/settings', async ({ query, request, visitor }) => {
      const newToken = tokenCookie.read(request)
      const newKey = keyCookie.read(request)
      const notice = notices.get(query.done) ?? null
      const response = await render(visitor, { notice, newToken, newKey })
      if (newToken !== null) response.headers.append('Set-Cookie', tokenCookie.clear())
      if (newKey !== null) response.headers.append('Set-Cookie', keyCookie.clear())
      return response
    })
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

  if (site.membersOnly) {
    app.post(
      '/settings/read-key',
      form('read-key', ['password'], async (context, { password }) => {
        const { user } = context.visitor
        await recentlyConfirmed(context, password)
        const key = await rollReadKey(db, user.id)
        if (key === null) throw new SignInRequired()
        logSecurity('read_key_rolled', context, user.username)
        return seeOther('/settings#read-key', [keyCookie.set(key)])
      }),
    )
  }

  if (site.issuers.length > 0) {
    app
      .post(
        '/settings/publishers',
        form('publishers', publisherFields, async (context, { password, ...typed }) => {
          const pipeline = validOf(parsePublisher(typed, site.issuers))
          const { user } = context.visitor
          await recentlyConfirmed(context, password)
          const { outcome } = await addPublisher(db, user.id, pipeline)
          if (outcome === 'gone') throw new SignInRequired()
          if (outcome !== 'added') throw new RefusedForm({ repository: [publisherRefusals[outcome]] })
          logSecurity('publisher_added', context, user.username)
          return seeOther('/settings?done=publisher-added')
        }),
      )
      .post('/settings/publishers/:id/delete', async ({ request, server, visitor: { user }, params }) => {
        found(await removePublisher(db, user.id, idOf(params.id) ?? 0), 'publisher')
        logSecurity('publisher_removed', { request, server }, user.username)
        return seeOther('/settings?done=publisher-removed')
      })
  }

  return app
}
