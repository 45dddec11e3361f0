import { Elysia } from 'elysia'
import { changePassword } from '../../data/account/credentials.ts'
import { hashPassword } from '../../data/account/password-hash.ts'
import { normalizePassword, passwordReasons } from '../../domain/account/password.ts'
import { readForm } from '../../http/body.ts'
import { owner } from '../../http/pages.ts'
import { seeOther } from '../../http/respond.ts'
import { browserSessions } from '../account/browser-session.ts'
import { ownPasswordRefusal } from './own-password.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

/** POST /settings/password: a new password, for somebody who knows the current one. */
export function passwordForm(options: SettingsOptions) {
  const { db, site, pages, tell } = options
  const render = settingsRenderer(options)
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  return new Elysia({ name: 'settings-password' })
    .use(owner(pages))
    .post('/settings/password', async ({ request, server, viewer, sessionHash, hasJustSignedIn }) => {
      const visitor = { viewer, sessionHash, hasJustSignedIn }
      const fields = await readForm(request, ['current_password', 'new_password'])
      const reasons = newPasswordReasons(fields, viewer.username)
      if (reasons.length > 0) {
        return await render(visitor, { panel: 'password', reasons: { new_password: reasons } })
      }
      const refusal = await ownPasswordRefusal(db, visitor, fields.current_password)
      if (refusal !== null) {
        tell('password_refused', { request, server }, viewer.username)
        const { reason, retryAfterSeconds } = refusal
        const reasons = { current_password: [reason] }
        return await render(visitor, { panel: 'password', reasons, retryAfterSeconds })
      }
      await changePassword(db, viewer.id, await hashPassword(fields.new_password))
      tell('password_changed', { request, server }, viewer.username)
      // All sessions ended with the old password, including this one.
      return seeOther('/settings?done=password', await browser.open(request, viewer.id, null))
    })
}

type Fields = { readonly current_password: string; readonly new_password: string }

function newPasswordReasons(fields: Fields, username: string): string[] {
  const isSame = normalizePassword(fields.new_password) === normalizePassword(fields.current_password)
  if (isSame && fields.new_password !== '') return ['is the current one: please choose another']
  return passwordReasons(fields.new_password, username)
}
