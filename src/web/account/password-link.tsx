import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { otherAccess } from '../../data/account/access.ts'
import { findPasswordLink, takePasswordLink } from '../../data/account/password-links.ts'
import { changePassword, hashPassword } from '../../data/account/passwords.ts'
import { createUser } from '../../data/account/users.ts'
import { passwordReasons } from '../../domain/account/password.ts'
import { displayNameReasons } from '../../domain/account/user.ts'
import { allValid, fieldOf } from '../../domain/field-parsing.ts'
import { readForm } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { leaveFor, page } from '../../http/responses.ts'
import { PasswordLinkPage } from '../../views/account/password-link-page.tsx'
import { isRefused } from '../../views/parts/form-fields.tsx'
import type { Dependencies } from '../route-dependencies.ts'
import { browserSessions } from './browser-sessions.ts'

/** GET and POST /password: the page behind an operator's link. */
export function passwordLink({ db, tables, site, pages, logSecurity }: Dependencies) {
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  return new Elysia({ name: 'password-link' })
    .use(pages)
    .get('/password', async ({ query: { link = '', name = '' } }) => {
      const { userId, username } = (await findPasswordLink(db, link)) ?? refuse()
      return show({ username, isNew: userId === null, form: { typed: { link, name }, reasons: {} } })
    })
    .post('/password', async ({ request, server, visitor }) => {
      const fields = await readForm(request, ['link', 'name', 'password', 'end_tokens'])
      const { link, password } = fields
      const name = fields.name.trim()
      const endsTokens = fields.end_tokens !== ''
      const { userId, username } = (await findPasswordLink(db, link)) ?? refuse()
      const isNew = userId === null
      const read = allValid({
        name: fieldOf(name, isNew ? displayNameReasons(name) : []),
        password: fieldOf(password, passwordReasons(password, username, site.baseUrl)),
      })
      if (read.outcome === 'invalid') {
        const typed = { link, name, end_tokens: fields.end_tokens }
        return show({ username, isNew, form: { typed, reasons: read.reasons } })
      }

      const passwordHash = await hashPassword(password)
      if ((await takePasswordLink(db, link)) === null) refuse()
      const created = isNew ? await createUser(db, { username, name, passwordHash }) : null
      const id =
        userId ?? created?.id ?? refuse('This username has been taken. Ask for a link for another one.')
      if (!isNew) await changePassword(db, id, passwordHash, endsTokens ? tables : [])
      if (!isNew && endsTokens) logSecurity('tokens_ended', { request, server }, username)
      logSecurity(isNew ? 'signed_up' : 'password_changed', { request, server }, username)
      return leaveFor(request, '/settings', await browser.open(request, id, visitor))
    })

  function show(shown: Omit<Parameters<typeof PasswordLinkPage>[0], 'site' | 'otherAccess'>): Response {
    const status = isRefused(shown.form) ? 422 : 200
    const entire = { site, otherAccess: otherAccess(tables), ...shown }
    return page(<PasswordLinkPage {...entire} />, { status, isPrivate: true })
  }
}

function refuse(
  message = 'This link was used before, or it is more than an hour old. Ask for another one.',
): never {
  throw new Problem('not_found', message)
}
