import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { releaseAttempts, reserveAttempts } from '../data/attempts.ts'
import type { Db } from '../data/database.ts'
import { endSession, openSession } from '../data/sessions.ts'
import { findCredentials } from '../data/users.ts'
import { usernameOf } from '../domain/username.ts'
import { SignInPage } from '../views/sign-in.tsx'
import type { Site } from '../views/site.ts'
import type { ClientAddress } from './client-address.ts'
import { readForm } from './form-fields.ts'
import { verifyPassword } from './password-hash.ts'
import { page, seeOther } from './respond.ts'
import { sameOrigin } from './same-origin.ts'
import { type SessionCookies, session } from './session.ts'

type Options = { db: Db; site: Site; cookies: SessionCookies; clientAddress: ClientAddress }

const wrongPerAccountAndDay = 20
const wrongPerAddressAndHour = 20

/** GET and POST /sign-in, POST /sign-out. */
export function signIn({ db, site, cookies, clientAddress }: Options) {
  return new Elysia({ name: 'sign-in' })
    .use(sameOrigin(site))
    .use(session({ db, cookies }))
    .get('/sign-in', ({ query, viewer }) => {
      if (viewer !== null) return seeOther('/settings')
      return form({ status: 200, username: '', problem: null, next: safeNext(query.next ?? '') })
    })
    .post(
      '/sign-in',
      async ({ request, server, session }) => {
        const fields = await readForm(request, ['username', 'password', 'next'])
        const next = safeNext(fields.next)
        const subject = usernameOf(fields.username) ?? ''
        const reserved = await reserveAttempts(db, [
          { kind: 'sign_in_account', subject, limit: wrongPerAccountAndDay },
          { kind: 'sign_in_address', subject: clientAddress(request, server), limit: wrongPerAddressAndHour },
        ])
        if (!reserved.ok) {
          const problem = `Too many wrong attempts. Try again in ${inMinutes(reserved.retryAfterSeconds)}.`
          const headers = { 'Retry-After': String(reserved.retryAfterSeconds) }
          return form({ status: 429, username: fields.username, problem, next, headers })
        }
        const credentials = await findCredentials(db, subject)
        if (
          !(await verifyPassword(fields.password, credentials?.passwordHash ?? null)) ||
          credentials === null
        ) {
          const problem = 'This username and password do not belong together.'
          return form({ status: 422, username: fields.username, problem, next })
        }
        await releaseAttempts(db, reserved.attemptIds)
        if (session !== null) await endSession(db, session)
        const secret = await openSession(db, credentials.id, request.headers.get('user-agent') ?? '')
        return seeOther(next ?? '/settings', [cookies.set(secret)])
      },
      { parse: 'none' },
    )
    .post(
      '/sign-out',
      async ({ session }) => {
        if (session !== null) await endSession(db, session)
        return seeOther('/', [cookies.clear()])
      },
      { parse: 'none' },
    )

  function form({ status, headers = {}, ...props }: FormProps): Response {
    return page(<SignInPage site={site} viewer={null} {...props} />, { status, headers, isPrivate: true })
  }
}

type FormProps = {
  status: number
  username: string
  problem: string | null
  next: string | null
  headers?: Record<string, string>
}

/** Where to go after signing in: a plain path of ours, or nowhere in particular. */
function safeNext(next: string): string | null {
  return /^\/[\w-][\w./-]*$/.test(next) ? next : null
}

function inMinutes(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes === 1 ? '1 minute' : `${minutes} minutes`
}
