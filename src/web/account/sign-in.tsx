import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { checkPassword } from '../../data/account/credentials.ts'
import { endSession } from '../../data/account/sessions.ts'
import type { Db } from '../../database/db.ts'
import { usernameOf } from '../../domain/account/username.ts'
import { basePathOf, pathBelow } from '../../domain/base-path.ts'
import { waitInWords } from '../../domain/time.ts'
import { readForm } from '../../http/body.ts'
import type { ClientAddress } from '../../http/client-address.ts'
import type { SecurityLog } from '../../http/log/security-log.ts'
import type { Pages } from '../../http/pages.ts'
import { leaveFor, page, seeOther } from '../../http/respond.ts'
import { SignInPage } from '../../views/account/sign-in.tsx'
import type { Site } from '../../views/page/site.ts'
import { browserSessions } from './browser-session.ts'

type Options = { db: Db; site: Site; pages: Pages; clientAddress: ClientAddress; tell: SecurityLog }

/** GET and POST /sign-in, POST /sign-out. */
export function signIn({ db, site, pages, clientAddress, tell }: Options) {
  const browser = browserSessions({ db, baseUrl: site.baseUrl })
  const basePath = basePathOf(site.baseUrl)

  return new Elysia({ name: 'sign-in' })
    .use(pages)
    .get('/sign-in', ({ query, request, viewer }) => {
      const next = safeNext(query.next ?? pageBefore(request, basePath))
      if (viewer !== null) return seeOther(next ?? '/settings')
      const notice = query.done === 'deleted' ? 'Your account and everything in it is deleted.' : null
      return form({ status: 200, username: '', problem: null, notice, next })
    })
    .post('/sign-in', async ({ request, server, sessionHash }) => {
      const fields = await readForm(request, ['username', 'password', 'next'])
      const next = safeNext(fields.next)
      const username = usernameOf(fields.username.trim())
      const from = { address: clientAddress(request, server), device: browser.deviceOf(request) }
      const checked = await checkPassword(db, { username, password: fields.password, from })
      const known = checked.userId === null ? null : username
      if (checked.outcome === 'throttled') {
        tell('sign_in_throttled', { request, server }, known)
        const problem = `Too many wrong attempts. Try again in ${waitInWords(checked.retryAfterSeconds)}.`
        const headers = { 'Retry-After': String(checked.retryAfterSeconds) }
        return form({ status: 429, username: fields.username, problem, next, headers })
      }
      if (checked.outcome === 'wrong') {
        tell('sign_in_failed', { request, server }, known)
        const problem = 'This username and password do not belong together.'
        return form({ status: 422, username: fields.username, problem, next })
      }
      const cookies = await browser.open(request, checked.userId, sessionHash)
      tell('signed_in', { request, server }, known)
      return leaveFor(request, next ?? '/settings', cookies)
    })
    .post('/sign-out', async ({ request, server, viewer, sessionHash }) => {
      if (sessionHash !== null) await endSession(db, sessionHash)
      tell('signed_out', { request, server }, viewer?.username)
      const response = seeOther('/', browser.close())
      // What else is on our host may keep its own.
      if (basePath !== '') return response
      // Not "cookies", which would also forget the device, nor "cache", where our pages are not kept.
      response.headers.set('Clear-Site-Data', '"storage"')
      return response
    })

  function form({ status, headers = {}, notice = null, ...props }: FormProps): Response {
    return page(<SignInPage site={site} viewer={null} notice={notice} {...props} />, {
      status,
      headers,
      isPrivate: true,
    })
  }
}

type FormProps = {
  status: number
  username: string
  problem: string | null
  notice?: string | null
  next: string | null
  headers?: Record<string, string>
}

/** Where to go after signing in: a path of ours with its query, or nowhere in particular. */
function safeNext(next: string): string | null {
  const isOurs = /^\/(?:[\w-][\w./-]*)?(?:\?[\w.~%&=+:*-]*)?$/.test(next)
  return isOurs && !/^\/sign-(in|out|up)\b/.test(next) ? next : null
}

/** Our page that led here, empty if none did. */
function pageBefore(request: Request, basePath: string): string {
  const before = URL.parse(request.headers.get('referer') ?? '')
  if (before === null || before.host !== URL.parse(request.url)?.host) return ''
  const path = pathBelow(basePath, before.pathname)
  return path === null ? '' : path + before.search
}
