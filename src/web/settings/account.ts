import { Elysia } from 'elysia'
import { deleteUser } from '../../data/account/deletion.ts'
import { changePassword, hashPassword } from '../../data/account/passwords.ts'
import { endSessions } from '../../data/account/sessions.ts'
import { changeUser } from '../../data/account/users.ts'
import { removeImported } from '../../data/imported.ts'
import { normalizePassword, passwordReasons } from '../../domain/account/password.ts'
import { displayNameReasons, usernameOf } from '../../domain/account/user.ts'
import { parseEnvironments } from '../../domain/restriction.ts'
import { RefusedForm } from '../../http/forms.ts'
import { leaveFor, seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { browserSessions } from '../account/browser-sessions.ts'
import { type SettingsOptions, settingsForms } from './form.tsx'

/** The forms of /settings about the account: checklist, profile, environments, history, deletion, password and sessions. */
export function accountForms(options: SettingsOptions) {
  const { db, tables, site, pages, logSecurity } = options
  const { form, confirmed } = settingsForms(options)
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  const app = new Elysia({ name: 'settings-account' })
    .use(owner(pages))
    .post('/settings/checklist', async ({ visitor }) => {
      await changeUser(db, visitor.user.id, { showsChecklist: false })
      return seeOther('/settings')
    })
    .post(
      '/settings/profile',
      form('profile', ['name'], async ({ visitor }, typed) => {
        const name = typed.name.trim()
        const reasons = displayNameReasons(name)
        if (reasons.length > 0) throw new RefusedForm({ name: reasons })
        await changeUser(db, visitor.user.id, { name })
        return seeOther('/settings?done=profile')
      }),
    )
    .post(
      '/settings/environment-order',
      form('environments', ['environments'], async ({ visitor }, typed) => {
        const order = parseEnvironments(typed.environments)
        if (order.outcome === 'invalid') throw new RefusedForm({ environments: order.reasons })
        const environmentOrder = order.value.length === 0 ? null : [...order.value]
        await changeUser(db, visitor.user.id, { environmentOrder })
        return seeOther('/settings?done=environments')
      }),
    )
    .post('/settings/history/delete', async ({ visitor }) => {
      const isDone = await removeImported(db, visitor.user.id)
      return seeOther(`/settings?done=${isDone ? 'history' : 'history-soon'}`)
    })
    .post(
      '/settings/delete',
      form('delete', ['username', 'password'], async (context, { username, password }) => {
        const { id, username: ownName } = context.visitor.user
        const isOwn = usernameOf(username.trim()) === ownName
        if (!isOwn) throw new RefusedForm({ username: ['is not your username'] })
        await confirmed(context, password)
        await deleteUser(db, tables, id)
        logSecurity('account_deleted', context, ownName)
        return leaveFor(context.request, site.hasPasswords ? '/sign-in?done=deleted' : '/', browser.close())
      }),
    )

  // Without passwords, a proxy signs users in.
  if (!site.hasPasswords) return app
  return app
    .post(
      '/settings/password',
      form('password', ['current_password', 'new_password'], async (context, typed) => {
        const { id, username } = context.visitor.user
        const { current_password: current, new_password: chosen } = typed
        const reasons = newPasswordReasons(current, chosen, username, site.baseUrl)
        if (reasons.length > 0) throw new RefusedForm({ new_password: reasons })
        await confirmed(context, current, 'current_password')
        await changePassword(db, id, await hashPassword(chosen))
        logSecurity('password_changed', context, username)
        // All sessions ended with the old password, including this one.
        return seeOther('/settings?done=password', await browser.open(context.request, id, null))
      }),
    )
    .post('/settings/sessions/end', async ({ request, server, visitor: { user, sessionHash } }) => {
      await endSessions(db, user.id, { but: sessionHash })
      logSecurity('sessions_ended', { request, server }, user.username)
      return seeOther('/settings?done=sessions')
    })
}

function newPasswordReasons(current: string, chosen: string, username: string, baseUrl: string): string[] {
  const isSame = normalizePassword(chosen) === normalizePassword(current)
  if (isSame && chosen !== '') return ['is the current one: please choose another']
  return passwordReasons(chosen, username, baseUrl)
}
