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
  '/api',
  '/api/check',
  '/api/history',
  '/api/in/:kind/:id',
  '/api/oidc',
  '/api/token',
  '/ci/announce.sh',
  '/ci/gitlab.yml',
  '/ci/history.sh',
  '/healthz',
  '/readyz',
  '/assets/*',
  '/favicon.svg',
  '/favicon.ico',
  '/apple-touch-icon.png',
  '/robots.txt',
  '/.well-known/security.txt',
  '/sign-in',
  '/sign-out',
  '/sign-up',
  '/password',
])

/** The routes that a read key opens. A key is for readers that cannot sign in, such as feed readers and wallboards. */
const openByKey: ReadonlySet<string> = new Set([
  '/badge/:file',
  '/:username/year.svg',
  '/wall',
  '/feed/live',
  '/feed.atom',
  '/feed.json',
  '/:username/feed.atom',
  '/:username/feed.json',
  '/api/deployments',
  '/api/deployments/live',
])

/** The routes that a token opens if it has the right to read. */
const openByToken: ReadonlySet<string> = new Set([
  '/api/deployments',
  '/api/deployments/live',
  '/api/deployments/:id',
  '/api/current',
  '/openapi.json',
])

/** The addresses that programs request. Without access, they answer 401. All others throw SignInRequired. */
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

type Asked = { readonly request: Request; readonly route: string; readonly key: unknown }

/**
 * The plugin that closes a members-only server: every route that is added after it, except those that stay open to
 * everyone, needs a session, or a read key or token that opens the route (docs/decisions.md#members-only). It decides
 * before the requested thing is looked up, so a refusal does not tell whether that thing exists.
 */
export function membersOnly({ site, visitorOf, readers, takes }: Options) {
  const app = new Elysia({ name: 'members-only' })
  if (!site.membersOnly) return app

  return app
    .decorate('isClosed', false)
    .decorate('hasKey', false)
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route, query } = context
      const { key } = query
      if (open.has(route) || (route === '/api/deployments/:id' && request.method === 'DELETE')) return
      context.hasKey = key !== undefined
      if (!takes(isReading(request) ? 'GET' : request.method, route)) return
      if (site.publicBadges && isReading(request) && isBadgeOrYear(request, route)) return
      context.isClosed = true
      if (await isOpenTo({ request, route, key })) return
      if (ofPrograms.test(pathOf(request))) throw unauthorized()
      throw new SignInRequired()
    })
    .mapResponse({ as: 'global' }, ({ response, isClosed, hasKey }) => {
      if (!(response instanceof Response)) return
      const { headers } = response
      if (hasKey) headers.set('Referrer-Policy', 'no-referrer')
      if (!isClosed) return
      if (!headers.get('cache-control')?.includes('no-store'))
        headers.set('Cache-Control', 'private, no-cache')
      headers.append('Vary', 'Cookie, Authorization')
    })

  /** Whether the sender of a request may use the route. Throws `forbidden` for a token without the right `read`. */
  async function isOpenTo({ request, route, key }: Asked): Promise<boolean> {
    if ((await visitorOf(request)) !== null) return true
    if (!isReading(request)) return false
    if (typeof key === 'string' && isReadKey(key) && isOpenByKey(request, route)) {
      if (await readers.isKey(hashSecret(key))) return true
    }
    const bearer = bearerIn(request.headers.get('authorization'))
    if (bearer === undefined || !isToken(bearer) || !openByToken.has(route)) return false
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

function isOpenByKey(request: Request, route: string): boolean {
  return openByKey.has(route) || isBadgeOrYear(request, route)
}

/** Whether a badge or the picture of a year is requested. Pictures of projects share a route with pages of projects. */
function isBadgeOrYear(request: Request, route: string): boolean {
  return picturesOfBadges.has(route) || (route === '/:username/*' && yearOfProject.test(pathOf(request)))
}

/** The path of a request; empty if its address cannot be parsed, because the Host header is not a host. */
function pathOf(request: Request): string {
  return URL.parse(request.url)?.pathname ?? ''
}
