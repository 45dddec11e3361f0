import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { renderBadge } from '../badge/badge.ts'
import { choiceOf } from '../badge/choice.ts'
import { Busy } from '../data/account/turns.ts'
import { isOutage } from '../database/errors.ts'
import type { User } from '../domain/account/user.ts'
import { basePathOf, pathBelow } from '../domain/base-path.ts'
import { problemBody } from '../domain/problem.ts'
import { anyOrigin, jsonHeaders } from '../http/headers.ts'
import { type Answered, type OnAnswered, secondsSince } from '../http/log/answered.ts'
import { requestFacts } from '../http/log/request-facts.ts'
import type { RequestIds } from '../http/log/request-id.ts'
import { Problem, SignInRequired } from '../http/problem.ts'
import { leaveFor, page } from '../http/respond.ts'
import { errorFacts } from '../log/error-facts.ts'
import type { Log } from '../log/log.ts'
import { onceAMinute } from '../log/once-a-minute.ts'
import { ProblemPage } from '../views/page/problem.tsx'
import type { Site } from '../views/page/site.ts'
import { badgeJsonHeaders, badgeSvgHeaders } from './badge/headers.ts'

const retryAfterSeconds = '2'

type Options = {
  readonly site: Site
  readonly log: Log
  readonly requestId: RequestIds
  readonly onAnswered: OnAnswered | undefined
}

/** Answers every error in the form that callers of that address can use: page, JSON or image. */
export function problems({ site, log, requestId, onAnswered }: Options) {
  const outageToTell = onceAMinute()

  return new Elysia({ name: 'problems' }).onError({ as: 'global' }, (context) => {
    const { error, code, request } = context
    // With a Host header that is no host, the address cannot be parsed.
    const url = URL.parse(request.url) ?? new URL('/', site.baseUrl)
    const viewer = 'viewer' in context ? (context.viewer as User | null) : null
    const problem = error instanceof SignInRequired ? null : hintedAt(url, site, problemOf(error, code))
    const response =
      problem === null ? leaveFor(request, signInAddress(request, url)) : answer(site, url, problem, viewer)
    const seconds = secondsSince('startedAt' in context ? (context.startedAt as number) : 0)
    const facts = { request, route: context.route ?? '', status: response.status, seconds }
    const answered = problem === null ? facts : { ...facts, code: problem.code }
    if (problem !== null) logProblem(problem, error, answered)
    onAnswered?.(answered)
    // Elysia has set the status of the error, and would put it in the place of a 200.
    context.set.status = response.status
    return response
  })

  /** Logs each fault of ours, but an outage only once a minute, since every request meets it. */
  function logProblem({ status, code }: Problem, error: unknown, answered: Answered): void {
    const facts = () => ({ ...requestFacts(answered, requestId), status })
    // What is thrown as a Problem was decided here, such as the limit of streams: it is no fault to look
    // into.
    if (error instanceof Problem || status < 500) {
      log('refused', () => ({ ...facts(), code }))
    } else if (code === 'internal_error') {
      log('fault', { ...facts(), ...errorFacts(error, { withStack: true }) })
    } else {
      const keptBack = outageToTell(performance.now())
      if (keptBack === null) return
      log('unavailable', { ...facts(), ...errorFacts(error), alikeSinceTheLast: keptBack || undefined })
    }
  }
}

type Headers = Readonly<Record<string, string>>

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
 * Tells whoever looks for the API below its address or in another case where it is; and an operator that the
 * proxy leaves on what it should take off.
 */
function hintedAt({ pathname }: URL, { baseUrl, issuers }: Site, problem: Problem): Problem {
  if (problem.status >= 500) return problem
  if (issuers.length === 0 && /^\/api\/oidc\/?$/.test(pathname)) return new Problem('not_found', noIssuers)
  if (apiPath.test(pathname) && !/^\/api(\/deployments(\/live)?|\/oidc)?\/?$/.test(pathname)) {
    return new Problem(
      'not_found',
      'The API is at POST /api, GET /api/deployments and GET /api/deployments/live, in lower case.',
    )
  }
  const basePath = basePathOf(baseUrl)
  const isFound = problem.status !== 404 && problem.status !== 405
  if (basePath === '' || isFound || pathBelow(basePath, pathname) === null) return problem
  return new Problem('not_found', `The proxy in front of Shipfeed has to take ${basePath} off every address.`)
}

const noIssuers =
  'This server takes no identity tokens: OIDC_ISSUERS is empty. Announce with a token from the settings.'

/** The address of the API, and those where it is looked for. */
const apiPath = /^\/api(\/|$)/i

function answer(site: Site, url: URL, problem: Problem, viewer: User | null): Response {
  const { status, headers } = problem
  if (url.pathname.startsWith('/badge/')) return badgeProblem(url, problem)
  if (url.pathname.startsWith('/api/deployments'))
    return problemJson(problem, { ...jsonHeaders, ...anyOrigin })
  if (apiPath.test(url.pathname) || url.pathname.endsWith('.json')) return problemJson(problem, jsonHeaders)
  const { title, message } = problem
  const markup = <ProblemPage site={site} viewer={viewer} status={status} title={title} message={message} />
  return page(markup, { status, headers, isPrivate: true })
}

/** An image even for an error: a broken image in somebody's README tells nobody anything. */
function badgeProblem(url: URL, problem: Problem): Response {
  if (url.pathname.endsWith('.json')) return problemJson(problem, badgeJsonHeaders)
  const { status, code, headers } = problem
  const facts = { status: status < 500 ? 'Unknown' : 'Unavailable', age: null } as const
  const image = renderBadge(facts, choiceOf(Object.fromEntries(url.searchParams)))
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
