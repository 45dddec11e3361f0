import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { countAttempts, readRetryAfter } from '../../data/account/attempts.ts'
import { hashPassword } from '../../data/account/passwords.ts'
import { createUser, findUser } from '../../data/account/users.ts'
import { passwordReasons } from '../../domain/account/password.ts'
import { displayNameReasons, usernameOf, usernameReasons } from '../../domain/account/user.ts'
import { waitInWords } from '../../domain/ages-and-days.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { readForm } from '../../http/body.ts'
import { Problem } from '../../http/problem.ts'
import { leaveFor, page, seeOther } from '../../http/responses.ts'
import { SignUpPage } from '../../views/account/sign-up-page.tsx'
import type { Dependencies } from '../route-dependencies.ts'
import { browserSessions } from './browser-sessions.ts'

const isTaken: Reasons = { username: ['is taken'] }

/** GET and POST /sign-up. */
export function signUp({ db, site, pages, clientAddress, signUpsPerHour, logSecurity }: Dependencies) {
  const browser = browserSessions({ db, baseUrl: site.baseUrl })

  return new Elysia({ name: 'sign-up' })
    .use(pages)
    .get('/sign-up', ({ visitor }) => {
      refuseWhenClosed()
      return visitor === null
        ? form({ status: 200, values: { username: '', name: '' } })
        : seeOther('/settings')
    })
    .post('/sign-up', async ({ request, server, visitor }) => {
      refuseWhenClosed()
      const values = await readForm(request, ['username', 'name', 'password'])
      const [typedUsername, name] = [values.username.trim(), values.name.trim()]
      const reasons = {
        username: usernameReasons(typedUsername),
        name: displayNameReasons(name),
        password: passwordReasons(values.password, typedUsername, site.baseUrl),
      }
      if (Object.values(reasons).flat().length > 0) return form({ status: 422, values, reasons })

      const username = usernameOf(typedUsername) ?? ''
      const subject = clientAddress(request, server)
      const limit = { most: signUpsPerHour, hours: 1 }
      const attempts = signUpsPerHour === 0 ? [] : [{ kind: 'sign_up', subject, limit }]
      // Checked before the expensive hash. The unique index and the count decide races.
      const [known, wait] = await Promise.all([findUser(db, username), readRetryAfter(db, attempts)])
      if (known !== null) return form({ status: 422, values, reasons: isTaken })
      if (wait !== null) return tooOften(values, wait)

      const passwordHash = await hashPassword(values.password)
      const retryAfterSeconds = await countAttempts(db, attempts)
      if (retryAfterSeconds !== null) return tooOften(values, retryAfterSeconds)
      const user = await createUser(db, { username, name, passwordHash })
      if (user === null) return form({ status: 422, values, reasons: isTaken })
      logSecurity('signed_up', { request, server }, username)
      return leaveFor(request, '/settings', await browser.open(request, user.id, visitor))
    })

  function refuseWhenClosed(): void {
    if (site.registrationOpen) return
    const operator = site.operatorContact ?? 'its operator'
    throw new Problem('forbidden', `New accounts are closed on this server. Ask ${operator} for one.`)
  }

  function tooOften(values: Shown['values'], retryAfterSeconds: number): Response {
    const wait = waitInWords(retryAfterSeconds)
    const problem = `Too many accounts were created from your address. Try again in ${wait}.`
    return form({ status: 429, values, problem, headers: { 'Retry-After': String(retryAfterSeconds) } })
  }

  function form({ status, values, reasons = {}, problem = null, headers = {} }: Shown): Response {
    const markup = <SignUpPage site={site} values={values} reasons={reasons} problem={problem} />
    return page(markup, { status, headers, isPrivate: true })
  }
}

type Shown = {
  status: number
  values: { username: string; name: string }
  reasons?: Reasons
  problem?: string | null
  headers?: Record<string, string>
}
