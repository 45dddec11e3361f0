import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { renderBadge, styleNamed } from '../badge/badge.ts'
import { Busy } from '../data/account/turns.ts'
import { isOutage } from '../database/errors.ts'
import type { User } from '../domain/account/user.ts'
import { problemBody } from '../domain/problem.ts'
import { jsonHeaders } from '../http/headers.ts'
import { logLine, onceAMinute } from '../http/log.ts'
import { Problem, SignInRequired } from '../http/problem.ts'
import { leaveFor, page } from '../http/respond.ts'
import { ProblemPage } from '../views/page/problem.tsx'
import type { Site } from '../views/page/site.ts'
import { badgeJsonHeaders, badgeSvgHeaders } from './badge/headers.ts'

const retryAfterSeconds = '2'

/** Answers every error in the form that callers of that address can use: page, JSON or image. */
export function problems({ site, log }: { site: Site; log: (line: string) => void }) {
  const outageToTell = onceAMinute()

  return new Elysia({ name: 'problems' }).onError({ as: 'global' }, (context) => {
    const { error, code, request } = context
    // With a Host header that is no host, the address cannot be parsed.
    const url = URL.parse(request.url) ?? new URL(site.baseUrl)
    if (error instanceof SignInRequired) return leaveFor(request, signInAddress(request, url))
    const problem = hintedAt(url, problemOf(error, code))
    // What is thrown as a Problem was decided here, such as the limit of streams: it is no fault to look
    // into.
    if (!(error instanceof Problem) && problem.status >= 500) {
      logFault(problem, error, { method: request.method, path: url.pathname })
    }
    const viewer = 'viewer' in context ? (context.viewer as User | null) : null
    const response = answer(site, url, problem, viewer)
    // Elysia has set the status of the error, and would put it in the place of a 200.
    context.set.status = response.status
    return response
  })

  /** Logs each fault of ours, but an outage only once a minute, since every request meets it. */
  function logFault({ status, code }: Problem, error: unknown, facts: Facts): void {
    const keptBack = code === 'unavailable' ? outageToTell(performance.now()) : 0
    if (keptBack === null) return
    const alike = keptBack === 0 ? {} : { alikeSinceTheLast: keptBack }
    log(logLine({ ...facts, status, ...alike }, error, { withStack: code === 'internal_error' }))
  }
}

type Headers = Readonly<Record<string, string>>

type Facts = { readonly method: string; readonly path: string }

function problemOf(error: unknown, code: unknown): Problem {
  if (error instanceof Problem) return error
  if (code === 'NOT_FOUND') return new Problem('not_found')
  if (isOutage(error)) {
    return new Problem('unavailable', undefined, { headers: { 'Retry-After': retryAfterSeconds } })
  }
  if (error instanceof Busy) {
    const message = 'Too many people are signing in at this moment. Try again in a few seconds.'
    return new Problem('unavailable', message, { headers: { 'Retry-After': retryAfterSeconds } })
  }
  return new Problem('internal_error')
}

/**
 * Tells whoever looks for the API below its address or in another case where it is.
 */
function hintedAt({ pathname }: URL, problem: Problem): Problem {
  const isMissed = apiPath.test(pathname) && !/^\/api\/?$/.test(pathname)
  if (!isMissed || problem.status >= 500) return problem
  return new Problem('not_found', 'The API has one address, in lower case: POST /api.')
}

/** The address of the API, and those where it is looked for. */
const apiPath = /^\/api(\/|$)/i

function answer(site: Site, url: URL, problem: Problem, viewer: User | null): Response {
  const { status, headers } = problem
  if (url.pathname.startsWith('/badge/')) return badgeProblem(url, problem)
  if (apiPath.test(url.pathname) || url.pathname.endsWith('.json')) return problemJson(problem, jsonHeaders)
  const { title, message } = problem
  const markup = <ProblemPage site={site} viewer={viewer} status={status} title={title} message={message} />
  return page(markup, { status, headers, isPrivate: true })
}

/** An image even for an error: a broken image in somebody's README tells nobody anything. */
function badgeProblem(url: URL, problem: Problem): Response {
  if (url.pathname.endsWith('.json')) return problemJson(problem, badgeJsonHeaders)
  const { status, code, headers } = problem
  const style = styleNamed(url.searchParams.get('style'))
  const image = renderBadge({ status: status < 500 ? 'Unknown' : 'Unavailable', style, age: null })
  // Image proxies keep a failure, and would show it long after the outage.
  const answer =
    code === 'unavailable' ? { status: 200, headers: { 'X-Shipfeed-Status': code } } : { status, headers }
  return new Response(image, { ...answer, headers: { ...badgeSvgHeaders, ...answer.headers } })
}

function problemJson({ status, code, message, details, headers }: Problem, ofItsKind: Headers): Response {
  const body = JSON.stringify(problemBody(code, message, details))
  return new Response(body, { status, headers: { ...ofItsKind, ...headers } })
}

/** After signing in, a GET returns to where it was; a form has to be sent again. */
function signInAddress(request: Request, url: URL): string {
  if (request.method !== 'GET' && request.method !== 'HEAD') return '/sign-in'
  return `/sign-in?next=${encodeURIComponent(url.pathname + url.search)}`
}
