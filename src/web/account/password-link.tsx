import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { changePassword } from '../../data/account/credentials.ts'
import { hashPassword } from '../../data/account/password-hash.ts'
import { findPasswordLink, takePasswordLink } from '../../data/account/password-links.ts'
import { createUser } from '../../data/account/users.ts'
import type { Db } from '../../database/db.ts'
import { passwordReasons } from '../../domain/account/password.ts'
import { displayNameReasons } from '../../domain/account/user.ts'
import type { Reasons } from '../../domain/reasons.ts'
import { readForm } from '../../http/body.ts'
import type { SecurityLog } from '../../http/log/security-log.ts'
import type { Pages } from '../../http/pages.ts'
import { Problem } from '../../http/problem.ts'
import { leaveFor, page } from '../../http/respond.ts'
import { PasswordLinkPage } from '../../views/account/password-link.tsx'
import type { Site } from '../../views/page/site.ts'
import { browserSessions } from './browser-session.ts'

type Options = {
  db: Db
  site: Site
  pages: Pages
  tell: SecurityLog
}

/** GET and POST /password: what an operator's link leads to. */
export function passwordLink({ db, site, pages, tell }: Options) {
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  return new Elysia({ name: 'password-link' })
    .use(pages)
    .get('/password', async ({ query: { link = '' } }) => {
      const { userId, username } = (await findPasswordLink(db, link)) ?? refuse()
      return form({ username, isNew: userId === null, link, name: '' })
    })
    .post('/password', async ({ request, server, sessionHash }) => {
      const { link, name: typedName, password } = await readForm(request, ['link', 'name', 'password'])
      const { userId, username } = (await findPasswordLink(db, link)) ?? refuse()
      const isNew = userId === null
      const name = typedName.trim()
      const reasons: Reasons = {
        name: isNew ? displayNameReasons(name) : [],
        password: passwordReasons(password, username),
      }
      if (Object.values(reasons).flat().length > 0) return form({ username, isNew, link, name, reasons })

      const passwordHash = await hashPassword(password)
      if ((await takePasswordLink(db, link)) === null) refuse()
      if (isNew) {
        const user = await createUser(db, { username, name, passwordHash })
        return await signIn(
          user?.id ?? refuse('Somebody has taken this username. Ask for a link for another one.'),
        )
      }
      await changePassword(db, userId, passwordHash)
      return await signIn(userId)

      async function signIn(id: number): Promise<Response> {
        tell(isNew ? 'signed_up' : 'password_changed', { request, server }, username)
        return leaveFor(request, '/settings', await browser.open(request, id, sessionHash))
      }
    })

  function form({ reasons = {}, ...props }: FormProps): Response {
    const status = Object.keys(reasons).length === 0 ? 200 : 422
    return page(<PasswordLinkPage site={site} reasons={reasons} {...props} />, { status, isPrivate: true })
  }
}

type FormProps = { username: string; isNew: boolean; link: string; name: string; reasons?: Reasons }

function refuse(message = 'This link was used before, or its hour is over. Ask for another one.'): never {
  throw new Problem('not_found', message)
}
