import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { renderBadge, styleNamed } from '../badge/badge.ts'
import { isOutage } from '../database/errors.ts'
import type { User } from '../domain/user.ts'
import { badgeJsonHeaders, badgeSvgHeaders } from '../http/headers.ts'
import { logLine, onceAMinute } from '../http/log.ts'
import { Problem, SignInRequired } from '../http/problem.ts'
import { leaveFor, page, problemJson } from '../http/respond.ts'
import { ProblemPage } from '../views/page/problem.tsx'
import type { Site } from '../views/page/site.ts'

const retryAfterSeconds = '2'

/** Answers every error, in the form that the caller of that address can use. Nothing internal gets out. */
export function problems({ site, log }: { site: Site; log: (line: string) => void }) {
  const outageToTell = onceAMinute()

  return new Elysia({ name: 'problems' }).onError({ as: 'global' }, (context) => {
    const { error, code, request } = context
    // A Host header that is no host leaves an address that cannot be read.
    const url = URL.parse(request.url) ?? new URL(site.baseUrl)
    if (error instanceof SignInRequired) return leaveFor(request, signInAddress(request, url))
    const problem = problemOf(error, code)
    if (problem.status >= 500) tellOperator(problem, error, { method: request.method, path: url.pathname })
    const viewer = 'viewer' in context ? (context.viewer as User | null) : null
    return answer(site, url, problem, viewer)
  })

  /** Each fault of ours; but an outage meets every request there is, and its lines would fill the disk. */
  function tellOperator({ status, code }: Problem, error: unknown, facts: Facts): void {
    const keptBack = code === 'unavailable' ? outageToTell(Date.now()) : 0
    if (keptBack === null) return
    const alike = keptBack === 0 ? {} : { alikeSinceTheLast: keptBack }
    log(logLine({ ...facts, status, ...alike }, error, { withStack: code === 'internal_error' }))
  }
}

type Facts = { readonly method: string; readonly path: string }

function problemOf(error: unknown, code: unknown): Problem {
  if (error instanceof Problem) return error
  if (code === 'NOT_FOUND') return new Problem('not_found', 'No page has this address. Check its spelling.')
  if (code === 'PARSE' || code === 'VALIDATION' || code === 'INVALID_COOKIE_SIGNATURE') {
    return new Problem('bad_request', 'The request is not well formed. Check its address and its body.')
  }
  if (isOutage(error)) {
    const message = 'The database cannot be reached at the moment. Try again in a few seconds.'
    return new Problem('unavailable', message, { 'Retry-After': retryAfterSeconds })
  }
  return new Problem('internal_error', 'This is a fault of ours, and it has been logged. Try again later.')
}

function answer(site: Site, url: URL, problem: Problem, viewer: User | null): Response {
  const { status, headers } = problem
  if (url.pathname.startsWith('/badge/')) return badgeProblem(url, problem)
  if (/^\/api\/?$|\.json$/.test(url.pathname)) return problemJson(problem)
  const { title, message } = problem
  const markup = <ProblemPage site={site} viewer={viewer} status={status} title={title} message={message} />
  return page(markup, { status, headers, isPrivate: true })
}

/** An image even then: a broken one in somebody's README tells nobody anything. */
function badgeProblem(url: URL, { status, code, message, headers }: Problem): Response {
  if (url.pathname.endsWith('.json')) {
    return Response.json({ error: code, message }, { status, headers: { ...badgeJsonHeaders, ...headers } })
  }
  const style = styleNamed(url.searchParams.get('style'))
  const image = renderBadge({ status: status < 500 ? 'Unknown' : 'Unavailable', style, age: null })
  return new Response(image, { status, headers: { ...badgeSvgHeaders, ...headers } })
}

/** A GET comes back to where it was after signing in; a form has to be sent again. */
function signInAddress(request: Request, url: URL): string {
  if (request.method !== 'GET' && request.method !== 'HEAD') return '/sign-in'
  return `/sign-in?next=${encodeURIComponent(url.pathname)}`
}
