import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { checkPassword } from '../../data/account/passwords.ts'
import { endSession } from '../../data/account/sessions.ts'
import { usernameOf } from '../../domain/account/user.ts'
import { basePathOf, pathBelow } from '../../domain/base-path.ts'
import { urlOf } from '../../domain/field-parsing.ts'
import { formHandler, pageOfForm, type Refused, RefusedForm, sentTooOften } from '../../http/forms.ts'
import { leaveFor, seeOther } from '../../http/responses.ts'
import { SignInPage } from '../../views/account/sign-in-page.tsx'
import { freshForm } from '../../views/parts/form-fields.tsx'
import type { Dependencies } from '../route-dependencies.ts'
import { browserSessions } from './browser-sessions.ts'

/** GET and POST /sign-in, POST /sign-out. */
export function signIn({ db, site, pages, clientAddress, logSecurity }: Dependencies) {
  const browser = browserSessions({ db, baseUrl: site.baseUrl })
  const basePath = basePathOf(site.baseUrl)

  return new Elysia({ name: 'sign-in' })
    .use(pages)
    .get('/sign-in', ({ query, request, visitor }) => {
      const next = safeNext(query.next ?? pageBefore(request, basePath))
      if (visitor !== null) return seeOther(next ?? '/settings')
      const notice = query.done === 'deleted' ? 'Your account and everything in it is deleted.' : null
      return pageOfForm(<SignInPage {...{ site, notice, next }} form={freshForm} />, null)
    })
    .post(
      '/sign-in',
      formHandler(['username', 'password', 'next'], showAgain, async (context, typed) => {
        const { request, server, visitor } = context
        const username = usernameOf(typed.username.trim())
        const from = { address: clientAddress(request, server), device: browser.deviceOf(request) }
        const checked = await checkPassword(db, { username, password: typed.password, from })
        const known = checked.userId === null ? null : username
        if (checked.outcome === 'throttled') {
          logSecurity('sign_in_throttled', context, known)
          throw sentTooOften('Too many wrong attempts.', checked.retryAfterSeconds)
        }
        if (checked.outcome === 'wrong') {
          logSecurity('sign_in_failed', context, known)
          throw new RefusedForm({}, { problem: 'That username and password don’t match.' })
        }
        const cookies = await browser.open(request, checked.userId, visitor)
        logSecurity('signed_in', context, known)
        return leaveFor(request, safeNext(typed.next) ?? '/settings', cookies)
      }),
    )
    .post('/sign-out', async ({ request, server, visitor }) => {
      if (visitor !== null) await endSession(db, visitor.sessionHash)
      logSecurity('signed_out', { request, server }, visitor?.user.username)
      const response = seeOther('/', browser.close())
      // Clearing the storage would also clear that of other services on our host.
      if (basePath !== '') return response
      // Not "cookies", which would also clear the device, nor "cache", which holds no page of a signed-in user.
      response.headers.set('Clear-Site-Data', '"storage"')
      return response
    })

  function showAgain(refused: Refused): Response {
    const next = safeNext(refused.typed.next ?? '')
    return pageOfForm(<SignInPage {...{ site, next }} notice={null} form={refused} />, refused)
  }
}

const longestNext = 2_048
const anywhere = 'http://shipfeed.invalid'

/** The page to open after signing in, if it is a path of ours with its query; otherwise null. */
function safeNext(next: string): string | null {
  // Browsers read a backslash as a slash, and leave out control characters.
  if (next.length > longestNext || !/^\/[^\\\s\p{Cc}]*$/u.test(next)) return null
  const url = URL.parse(next, anywhere)
  if (url === null || url.origin !== anywhere) return null
  // A path that begins with two slashes would be the name of another host.
  const { pathname, search } = url
  return /^\/(\/|%2f|%5c|sign-(in|out|up)\b)/i.test(pathname) ? null : pathname + search
}

/** The path of our page that linked here; empty if there is none. */
function pageBefore(request: Request, basePath: string): string {
  const before = urlOf(request.headers.get('referer') ?? '')
  if (before === null || before.host !== URL.parse(request.url)?.host) return ''
  const path = pathBelow(basePath, before.pathname)
  return path === null ? '' : path + before.search
}
