import { Elysia } from 'elysia'
import type { Visitor } from '../data/account/sessions.ts'
import type { User } from '../domain/account/user.ts'
import { secretCookie } from './cookies.ts'
import { SignInRequired } from './problem.ts'
import { refuseForeignForms } from './same-origin.ts'
import type { SecurityLog } from './security-log.ts'

/** Finds the signed-in user of a request; null if there is none. */
export type VisitorOf = (request: Request) => Promise<Visitor | null>

/** How visitors are known in place of a sign-in with a password. */
export type Visitors = {
  readonly visitorOf: VisitorOf
  /** Why a request has no visitor. */
  readonly refusalOf: (request: Request) => string
}

/** Where their requests come from, and whom to tell of a new account. */
export type Entrance = {
  readonly isFromTrustedProxy: (request: Request) => boolean
  readonly onCreated: (request: Request, user: User) => void
}

/** What decides whether a request may pass. */
export type Door = {
  readonly visitorOf: VisitorOf
  /** Whether a route accepts a method. */
  readonly takes: (method: string, route: string) => boolean
  readonly opened: OpenRoutes
}

/**
 * To whom some routes stay open where only members may read: to `all`, as they check a token or a secret themselves, or
 * to programs with a read key or with a token that may read.
 */
export type OpenRoutes = Readonly<Record<string, 'all' | 'key' | 'token'>>

/** Finds visitors by their cookies. The session is read once for each request. */
export function visitorReader(
  baseUrl: string,
  readSession: (secret: string) => Promise<Visitor | null>,
): VisitorOf {
  const cookie = secretCookie(baseUrl, 'session')
  const known = new WeakMap<Request, Promise<Visitor | null>>()

  return async (request) => {
    const secret = cookie.read(request)
    return secret === null ? null : await known.getOrInsertComputed(request, () => readSession(secret))
  }
}

export type Pages = ReturnType<typeof browserPages>

/** For all pages and forms: refuses forms from pages of other origins, and gives handlers `visitor`, perhaps null. */
export function browserPages(
  baseUrl: string,
  visitorOf: VisitorOf,
  logSecurity: SecurityLog,
  isOutage: (error: unknown) => boolean,
) {
  return (
    new Elysia({ name: 'pages' })
      // Handlers read the body themselves. The usual way, `guard` with `parse: 'none'`, throws in Elysia 1.4.
      .onParse({ as: 'scoped' }, () => null)
      .onBeforeHandle({ as: 'scoped' }, refuseForeignForms(baseUrl, logSecurity))
      .resolve({ as: 'scoped' }, async ({ request, route }) => ({ visitor: await visitorAt(route, request) }))
  )

  async function visitorAt(route: string, request: Request): Promise<Visitor | null> {
    const visitor = visitorOf(request)
    if (request.method === 'POST' || !withoutDatabase.has(route)) return await visitor
    return await visitor.catch((error) => {
      if (isOutage(error)) return null
      throw error
    })
  }
}

/** The pages that need no database. In an outage, everyone sees them as somebody who is not signed in. */
const withoutDatabase: ReadonlySet<string> = new Set(['/docs', '/sign-in', '/status'])

/** For pages of signed-in users. Throws SignInRequired for everyone else, so `visitor` is never null. */
export function owner(pages: Pages) {
  return new Elysia({ name: 'owner' })
    .use(pages)
    .resolve({ as: 'scoped' }, ({ visitor }) => {
      if (visitor === null) throw new SignInRequired()
      return { visitor }
    })
    .as('scoped')
}
