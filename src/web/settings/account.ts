import { Elysia } from 'elysia'
import { openSession } from '../../data/sessions.ts'
import { changePassword, deleteUser } from '../../data/users.ts'
import type { Db } from '../../database/db.ts'
import { passwordReasons } from '../../domain/password.ts'
import { waitInWords } from '../../domain/time.ts'
import { usernameOf } from '../../domain/username.ts'
import { readForm } from '../../http/body.ts'
import { leaveFor, seeOther } from '../../http/respond.ts'
import { sameOrigin } from '../../http/same-origin.ts'
import { type Sessions, session, signedIn } from '../../http/session.ts'
import type { Site } from '../../views/page/site.ts'
import { checkPassword } from '../account/password-check.ts'
import { hashPassword } from '../account/password-hash.ts'
import { settingsPage } from './page.tsx'

type Options = { db: Db; site: Site; sessions: Sessions }

/** POST /settings/password and /settings/delete: what needs more than a session. */
export function account({ db, site, sessions }: Options) {
  return new Elysia({ name: 'account' })
    .use(sameOrigin(site))
    .use(session(sessions))
    .post(
      '/settings/password',
      async (context) => {
        const owner = signedIn(context)
        const { viewer } = owner
        const fields = await readForm(context.request, ['current_password', 'new_password'])
        const reasons = passwordReasons(fields.new_password, viewer.username)
        if (reasons.length > 0)
          return await settingsPage({ db, site, ...owner }, { reasons: { new_password: reasons } })
        const guess = { username: viewer.username, password: fields.current_password, address: null }
        const checked = await checkPassword(db, guess)
        if (checked.outcome === 'throttled') {
          const { retryAfterSeconds } = checked
          const reason = `was wrong too often. Try again in ${waitInWords(retryAfterSeconds)}`
          return await settingsPage(
            { db, site, ...owner },
            { reasons: { current_password: [reason] }, retryAfterSeconds },
          )
        }
        if (checked.outcome === 'wrong') {
          return await settingsPage(
            { db, site, ...owner },
            { reasons: { current_password: ['is not your password'] } },
          )
        }
        await changePassword(db, viewer.id, await hashPassword(fields.new_password))
        // All sessions ended with the old password, this one too.
        const secret = await openSession(db, viewer.id, context.request.headers.get('user-agent') ?? '')
        return seeOther('/settings?done=password', [sessions.cookies.set(secret)])
      },
      { parse: 'none' },
    )
    .post(
      '/settings/delete',
      async (context) => {
        const owner = signedIn(context)
        const { username } = await readForm(context.request, ['username'])
        if (usernameOf(username.trim()) !== owner.viewer.username) {
          return await settingsPage(
            { db, site, ...owner },
            { values: { username }, reasons: { username: ['is not your username'] } },
          )
        }
        await deleteUser(db, owner.viewer.id)
        return leaveFor(context.request, '/', [sessions.cookies.clear()])
      },
      { parse: 'none' },
    )
}
