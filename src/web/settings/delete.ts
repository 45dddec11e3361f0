import { Elysia } from 'elysia'
import { deleteUser } from '../../data/account/deletion.ts'
import { usernameOf } from '../../domain/account/username.ts'
import { readForm } from '../../http/body.ts'
import { owner } from '../../http/pages.ts'
import { leaveFor } from '../../http/respond.ts'
import { browserSessions } from '../account/browser-session.ts'
import { ownPasswordRefusal } from './own-password.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

/** POST /settings/delete: deletes the account, once its username and its password are typed. */
export function deleteForm(options: SettingsOptions) {
  const { db, site, pages, tell } = options
  const render = settingsRenderer(options)
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  return new Elysia({ name: 'settings-delete' })
    .use(owner(pages))
    .post('/settings/delete', async ({ request, server, viewer, sessionHash, hasJustSignedIn }) => {
      const visitor = { viewer, sessionHash, hasJustSignedIn }
      const { username, password } = await readForm(request, ['username', 'password'])
      const values = { username }
      if (usernameOf(username.trim()) !== viewer.username) {
        const reasons = { username: ['is not your username'] }
        return await render(visitor, { panel: 'delete', values, reasons })
      }
      const refusal = await ownPasswordRefusal(db, visitor, password)
      if (refusal !== null) {
        tell('password_refused', { request, server }, viewer.username)
        const { reason, retryAfterSeconds } = refusal
        const reasons = { password: [reason] }
        return await render(visitor, { panel: 'delete', values, reasons, retryAfterSeconds })
      }
      await deleteUser(db, viewer.id)
      tell('account_deleted', { request, server }, viewer.username)
      return leaveFor(request, '/sign-in?done=deleted', browser.close())
    })
}
