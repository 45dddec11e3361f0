import { Elysia } from 'elysia'
import { deleteUser } from '../../data/users.ts'
import { usernameOf } from '../../domain/username.ts'
import { readForm } from '../../http/body.ts'
import { owner } from '../../http/pages.ts'
import { leaveFor } from '../../http/respond.ts'
import { browserSessions } from '../account/browser-session.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

/** POST /settings/delete: deletes the account, once its username is typed. */
export function deleteForm(options: SettingsOptions) {
  const render = settingsRenderer(options)
  const browser = browserSessions({ db: options.db, baseUrl: options.site.baseUrl })

  return new Elysia({ name: 'settings-delete' })
    .use(owner(options.pages))
    .post('/settings/delete', async ({ request, viewer, sessionHash }) => {
      const { username } = await readForm(request, ['username'])
      if (usernameOf(username.trim()) !== viewer.username) {
        const reasons = { username: ['is not your username'] }
        return await render({ viewer, sessionHash }, { values: { username }, reasons })
      }
      await deleteUser(options.db, viewer.id)
      return leaveFor(request, '/', browser.close())
    })
}
