import { Elysia } from 'elysia'
import { changePassword, checkPassword } from '../../data/credentials.ts'
import { hashPassword } from '../../data/password-hash.ts'
import { passwordReasons } from '../../domain/password.ts'
import { waitInWords } from '../../domain/time.ts'
import { readForm } from '../../http/body.ts'
import { owner } from '../../http/pages.ts'
import { seeOther } from '../../http/respond.ts'
import { browserSessions } from '../account/browser-session.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

/** POST /settings/password: a new password, for somebody who knows the current one. */
export function passwordForm(options: SettingsOptions) {
  const { db, site, pages } = options
  const render = settingsRenderer(options)
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  return new Elysia({ name: 'settings-password' })
    .use(owner(pages))
    .post('/settings/password', async ({ request, viewer, sessionHash }) => {
      const visitor = { viewer, sessionHash }
      const fields = await readForm(request, ['current_password', 'new_password'])
      const reasons = passwordReasons(fields.new_password, viewer.username)
      if (reasons.length > 0) return await render(visitor, { reasons: { new_password: reasons } })

      const checked = await checkPassword(db, {
        username: viewer.username,
        password: fields.current_password,
        from: { sessionHash },
      })
      if (checked.outcome === 'throttled') {
        const { retryAfterSeconds } = checked
        const reason = `was wrong too often. Try again in ${waitInWords(retryAfterSeconds)}`
        return await render(visitor, { reasons: { current_password: [reason] }, retryAfterSeconds })
      }
      if (checked.outcome === 'wrong') {
        return await render(visitor, { reasons: { current_password: ['is not your password'] } })
      }
      await changePassword(db, viewer.id, await hashPassword(fields.new_password))
      // All sessions ended with the old password, including this one.
      return seeOther('/settings?done=password', await browser.open(request, viewer.id, null))
    })
}
