import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { hashPassword } from '../../data/account/passwords.ts'
import { countAttempts, readRetryAfter } from '../../data/account/throttle.ts'
import { createUser, findUser } from '../../data/account/users.ts'
import { passwordReasons } from '../../domain/account/password.ts'
import { displayNameReasons, usernameOf, usernameReasons } from '../../domain/account/user.ts'
import { allValid, fieldOf } from '../../domain/field-parsing.ts'
import {
  formHandler,
  pageOfForm,
  type Refused,
  RefusedForm,
  sentTooOften,
  validOf,
} from '../../http/forms.ts'
import { Problem } from '../../http/problem.ts'
import { leaveFor, seeOther } from '../../http/responses.ts'
import { SignUpPage } from '../../views/account/sign-up-page.tsx'
import { freshForm } from '../../views/parts/form-fields.tsx'
import type { Dependencies } from '../route-dependencies.ts'
import { browserSessions } from './browser-sessions.ts'

/** GET and POST /sign-up. */
export function signUp({ db, site, pages, clientAddress, signUpsPerHour, logSecurity }: Dependencies) {
  const browser = browserSessions({ db, baseUrl: site.baseUrl })
  const tooOften = 'Too many accounts were created from your address.'

  return new Elysia({ name: 'sign-up' })
    .use(pages)
    .onBeforeHandle(() => {
      if (site.registrationOpen) return
      const operator = site.operatorContact ?? 'its operator'
      throw new Problem('forbidden', `New accounts are closed on this server. Ask ${operator} for one.`)
    })
    .get('/sign-up', ({ visitor }) => (visitor === null ? show(null) : seeOther('/settings')))
    .post(
      '/sign-up',
      formHandler(['username', 'name', 'password'], show, async (context, typed) => {
        const { request, server, visitor } = context
        const name = typed.name.trim()
        const typedUsername = typed.username.trim()
        const { password } = validOf(
          allValid({
            username: fieldOf(typedUsername, usernameReasons(typedUsername)),
            name: fieldOf(name, displayNameReasons(name)),
            password: fieldOf(typed.password, passwordReasons(typed.password, typedUsername, site.baseUrl)),
          }),
        )
        const username = usernameOf(typedUsername) ?? ''
        const subject = clientAddress(request, server)
        const limit = { max: signUpsPerHour, hours: 1 }
        const attempts = signUpsPerHour === 0 ? [] : [{ kind: 'sign_up', subject, limit }]
        // Checked before the expensive hash. The unique index and the count decide races.
        const [known, wait] = await Promise.all([findUser(db, username), readRetryAfter(db, attempts)])
        if (known !== null) throw new RefusedForm({ username: ['is taken'] })
        if (wait !== null) throw sentTooOften(tooOften, wait)

        const passwordHash = await hashPassword(password)
        const retryAfterSeconds = await countAttempts(db, attempts)
        if (retryAfterSeconds !== null) throw sentTooOften(tooOften, retryAfterSeconds)
        const user = await createUser(db, { username, name, passwordHash })
        if (user === null) throw new RefusedForm({ username: ['is taken'] })
        logSecurity('signed_up', context, username)
        return leaveFor(request, '/settings', await browser.open(request, user.id, visitor))
      }),
    )

  function show(refused: Refused | null): Response {
    return pageOfForm(<SignUpPage site={site} form={refused ?? freshForm} />, refused)
  }
}
