import { Elysia } from 'elysia'
import type { Readers } from '../data/account/read-keys.ts'
import { hashSecret } from '../data/account/tokens.ts'
import { isReadKey, isToken } from '../domain/account/token.ts'
import { rightRefusal } from '../domain/account/token-rights.ts'
import { bearerIn, unauthorized } from './bearer-token.ts'
import { Problem, SignInRequired } from './problem.ts'
import type { VisitorOf } from './visitor.ts'

/** The routes that stay open to everyone. Those under /api check a token or a secret themselves. */
const open: ReadonlySet<string> = new Set([
  ...['/api', '/api/check', '/api/history', '/api/in/:kind/:id', '/api/oidc', '/api/token'],
  ...['/ci/announce.sh', '/ci/gitlab.yml', '/ci/history.sh'],
  ...['/healthz', '/readyz', '/robots.txt', '/.well-known/security.txt'],
  ...['/assets/*', '/favicon.svg', '/favicon.ico', '/apple-touch-icon.png'],
  ...['/sign-in', '/sign-out', '/sign-up', '/password'],
])

/** The routes that a read key opens to readers that cannot sign in. The key also opens badges and `year.svg`. */
const openByKey: ReadonlySet<string> = new Set([
  ...['/wall', '/feed/live', '/api/deployments', '/api/deployments/live'],
  ...['/feed.atom', '/feed.json', '/:username/feed.atom', '/:username/feed.json'],
])

/** The routes that a token opens if it has the right to read. */
const openByToken: ReadonlySet<string> = new Set([
  ...['/api/deployments', '/api/deployments/live', '/api/deployments/:id', '/api/current', '/openapi.json'],
])

/** The addresses that programs request. They answer 401; all others throw SignInRequired. */
const ofPrograms = /^\/(api|badge)(\/|$)|^\/feed\/live\/?$|\.(atom|json|svg|png)\/?$/i

const picturesOfBadges: ReadonlySet<string> = new Set(['/badge/:file', '/:username/year.svg'])
const yearOfProject = /\/year\.svg\/?$/

type Options = {
  readonly site: { readonly membersOnly: boolean; readonly publicBadges: boolean }
  readonly visitorOf: VisitorOf
  readonly readers: Readers
  /** Whether a route accepts a method. If not, anyone gets 405, which does not tell whether anything is there. */
  readonly takes: (method: string, route: string) => boolean
}

/**
 * On a members-only server, closes the routes that are added after this plugin, except open ones and public badges, to
 * everyone but signed-in users and callers with a read key or token for the route (docs/decisions.md#members-only). It
 * runs before the handler, whose 404 would tell that the requested thing does not exist.
 */
export function membersOnly({ site, visitorOf, readers, takes }: Options) {
  const app = new Elysia({ name: 'members-only' })
  if (!site.membersOnly) return app

  return app
    .decorate('isClosed', false)
    .decorate('isOfVisitor', false)
    .decorate('hasKey', false)
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route } = context
      const { key } = context.query
      if (open.has(route) || (route === '/api/deployments/:id' && request.method === 'DELETE')) return
      context.hasKey = key !== undefined
      if (!takes(isReading(request) ? 'GET' : request.method, route)) return
      if (site.publicBadges && isReading(request) && isBadgeOrYear(request, route)) return
      context.isClosed = true
      if (await isKeyOf(request, route, key)) return
      context.isOfVisitor = (await visitorOf(request)) !== null
      if (context.isOfVisitor || (await isTokenOf(request, route))) return
      throw ofPrograms.test(pathOf(request)) ? unauthorized() : new SignInRequired()
    })
    .mapResponse({ as: 'global' }, ({ response, isClosed, isOfVisitor, hasKey }) => {
      if (!(response instanceof Response)) return
      const { headers } = response
      if (hasKey) headers.set('Referrer-Policy', 'no-referrer')
      if (!isClosed) return
      // A proxy may know its users by their network: any page that they have open could read the house.
      if (isOfVisitor) headers.delete('Access-Control-Allow-Origin')
      const isStored = !headers.get('cache-control')?.includes('no-store')
      if (isStored) headers.set('Cache-Control', 'private, no-cache')
      headers.append('Vary', 'Cookie, Authorization')
    })

  /** Whether a read key opens the route. */
  async function isKeyOf(request: Request, route: string, key: unknown): Promise<boolean> {
    if (typeof key !== 'string' || !isReadKey(key) || !isReading(request)) return false
    const takesKey = openByKey.has(route) || isBadgeOrYear(request, route)
    return takesKey && (await readers.isKey(hashSecret(key)))
  }

  /** Whether the token of a request opens the route. Throws `forbidden` for one without the right `read`. */
  async function isTokenOf(request: Request, route: string): Promise<boolean> {
    const bearer = bearerIn(request.headers.get('authorization'))
    if (bearer === undefined || !isToken(bearer) || !isReading(request) || !openByToken.has(route))
      return false
    const token = await readers.findToken(hashSecret(bearer))
    if (token === null) return false
    const refusal = rightRefusal(token, 'read')
    if (refusal !== null) throw new Problem('forbidden', refusal)
    return true
  }
}

function isReading({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The pictures of projects share a route with the pages of projects. */
function isBadgeOrYear(request: Request, route: string): boolean {
  return picturesOfBadges.has(route) || (route === '/:username/*' && yearOfProject.test(pathOf(request)))
}

/** Empty if the Host header is not a host. */
function pathOf(request: Request): string {
  return URL.parse(request.url)?.pathname ?? ''
}
