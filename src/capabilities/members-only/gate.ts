import { Elysia } from 'elysia'
import { hashSecret } from '../../data/account/tokens.ts'
import { isToken } from '../../domain/account/token.ts'
import { rightRefusal } from '../../domain/account/token-rights.ts'
import { bearerIn, unauthorized } from '../../http/bearer-token.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import type { Door } from '../../http/visitor.ts'
import { isReadKey } from './rules.ts'
import type { Readers } from './store.ts'

/** The routes of the core that stay open. A read key also opens badges, `year.svg` and changelogs. */
const open = {
  all: [
    ...['/api', '/api/check', '/api/token', '/ci/announce.sh', '/ci/gitlab.yml'],
    ...['/healthz', '/readyz', '/robots.txt', '/.well-known/security.txt'],
    ...['/assets/*', '/favicon.svg', '/favicon.ico', '/apple-touch-icon.png'],
    ...['/sign-in', '/sign-out', '/sign-up', '/password'],
  ],
  key: ['/feed/live', '/api/deployments', '/api/deployments/live'],
  token: ['/api/deployments', '/api/deployments/live', '/api/deployments/:id', '/openapi.json'],
} as const

/** The addresses that programs request. They answer 401; all others throw SignInRequired. */
const ofPrograms = /^\/(api|badge|mcp|oembed)(\/|$)|^\/feed\/live\/?$|\.(atom|json|md|svg|png)\/?$/i

const picturesOfBadges = ['/badge/:file', '/badge/:file/*', '/:username/year.svg']
const yearOfProject = /\/year\.svg\/?$/
const changelogOfProject = /\/changelog\.(atom|md)\/?$/

type Options = Door & { readonly publicBadges: boolean; readonly readers: Readers }

/**
 * Closes the routes that are added after this plugin, except open ones and public badges, to
 * everyone but signed-in users and callers with a read key or token for the route (docs/decisions.md#members-only). It
 * runs before the handler, whose 404 would tell that the requested thing does not exist.
 */
export function membersOnly({ visitorOf, takes, opened, publicBadges, readers }: Options) {
  const opensTo = (whom: keyof typeof open): ReadonlySet<string> =>
    new Set([...open[whom], ...Object.keys(opened).filter((route) => opened[route] === whom)])
  const [openToAll, openByKey, openByToken] = [opensTo('all'), opensTo('key'), opensTo('token')]

  return new Elysia({ name: 'members-only' })
    .decorate({ isClosed: false, isOfVisitor: false, hasKey: false })
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route } = context
      const { key } = context.query
      if (openToAll.has(route) || (route === '/api/deployments/:id' && request.method === 'DELETE')) return
      context.hasKey = key !== undefined
      // Otherwise anyone gets 405, which does not tell whether anything is there.
      if (!takes(isReading(request) ? 'GET' : request.method, route)) return
      if (publicBadges && isReading(request) && isBadgeOrYear(request, route)) return
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
    const takesKey =
      openByKey.has(route) ||
      isBadgeOrYear(request, route) ||
      isBelowProject(request, route, changelogOfProject)
    return takesKey && (await readers.isKey(hashSecret(key)))
  }

  /** Whether the token of a request opens the route. Throws `forbidden` for one without the right `read`. */
  async function isTokenOf(request: Request, route: string): Promise<boolean> {
    const bearer = bearerIn(request.headers.get('authorization'))
    if (bearer === undefined || !isToken(bearer) || !openByToken.has(route)) return false
    if (!isReading(request) && route !== '/mcp') return false
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

function isBadgeOrYear(request: Request, route: string): boolean {
  return picturesOfBadges.includes(route) || isBelowProject(request, route, yearOfProject)
}

/** The parts of projects share a route with the pages of projects. */
function isBelowProject(request: Request, route: string, part: RegExp): boolean {
  return route === '/:username/*' && part.test(pathOf(request))
}

/** Empty if the Host header is not a host. */
function pathOf(request: Request): string {
  return URL.parse(request.url)?.pathname ?? ''
}
