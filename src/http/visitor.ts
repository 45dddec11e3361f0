import { Elysia } from 'elysia'
import type { Visitor } from '../data/account/sessions.ts'
import { secretCookie } from './cookies.ts'
import { SignInRequired } from './problem.ts'
import { refuseForeignForms } from './same-origin.ts'
import type { SecurityLog } from './security-log.ts'

/** Finds the signed-in user of a request; null if there is none. */
export type VisitorOf = (request: Request) => Promise<Visitor | null>

type Sessions = {
  readonly baseUrl: string
  readonly readSession: (secret: string) => Promise<Visitor | null>
}

/** Makes the function that finds the visitor of a request by its cookie. It reads the session once for each request. */
export function visitorReader({ baseUrl, readSession }: Sessions): VisitorOf {
  const cookie = secretCookie(baseUrl, 'session')
  const known = new WeakMap<Request, Promise<Visitor | null>>()

  return async (request) => {
    const secret = cookie.read(request)
    if (secret === null) return null
    const reading = known.get(request) ?? readSession(secret)
    known.set(request, reading)
    return await reading
  }
}

type Options = {
  readonly baseUrl: string
  readonly visitorOf: VisitorOf
  readonly logSecurity: SecurityLog
}

export type Pages = ReturnType<typeof browserPages>

/**
 * The plugin for all pages and forms. It refuses forms from pages of other origins, and gives handlers `visitor`: the
 * signed-in user and their session, or null.
 */
export function browserPages({ baseUrl, visitorOf, logSecurity }: Options) {
  return (
    new Elysia({ name: 'pages' })
      // Handlers read the body themselves, so Elysia does not parse it. `guard` with `parse: 'none'` would be the usual
      // way, but throws in Elysia 1.4.
      .onParse({ as: 'scoped' }, () => null)
      .onBeforeHandle({ as: 'scoped' }, refuseForeignForms({ baseUrl, logSecurity }))
      .resolve({ as: 'scoped' }, async ({ request }) => ({ visitor: await visitorOf(request) }))
  )
}

/** The plugin for pages of signed-in users. It throws SignInRequired for everyone else, so `visitor` is never null. */
export function owner(pages: Pages) {
  return new Elysia({ name: 'owner' })
    .use(pages)
    .resolve({ as: 'scoped' }, ({ visitor }) => {
      if (visitor === null) throw new SignInRequired()
      return { visitor }
    })
    .as('scoped')
}
