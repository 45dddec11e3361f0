import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { choiceOf, renderBadge } from '../badge/badge.ts'
import { statusWords } from '../badge/status.ts'
import type { Visitor } from '../data/account/sessions.ts'
import { Busy } from '../data/in-memory-queue.ts'
import { Damaged, isDiskFull, isOutage, Migrating } from '../database/errors.ts'
import type { User } from '../domain/account/user.ts'
import { basePathOf, pathBelow } from '../domain/base-path.ts'
import { problemBody } from '../domain/problems.ts'
import { utcDayOf } from '../domain/time.ts'
import { anyOrigin, jsonHeaders } from '../http/headers.ts'
import { Problem, SignInRequired } from '../http/problem.ts'
import type { Answered, OnAnswered, RequestIds } from '../http/request-log.ts'
import { requestFacts, secondsSince } from '../http/request-log.ts'
import { jsonText, leaveFor, page } from '../http/responses.ts'
import { errorFacts, type Log, onceAMinute } from '../log/log.ts'
import { ProblemPage } from '../views/page/problem-page.tsx'
import type { Site } from '../views/page/site.ts'
import { themeOf, YearImage } from '../views/profile/year-image.tsx'
import { badgeHeaders, outageHeaders, yearHeaders } from './badge/headers.ts'

const outageRetryAfter = '2'
/** An error page of an outage reloads itself, rarely enough that many waiting readers are no burden. */
const outageRefresh = '5'

type Options = {
  readonly site: Site
  readonly log: Log
  readonly requestId: RequestIds
  readonly onAnswered: OnAnswered | undefined
  /** What a 404 says at some addresses, without a trailing slash. */
  readonly missing: Readonly<Record<string, string>>
  /** Why the proxy has not signed a visitor in; undefined where visitors sign in with a password. */
  readonly refusalOf: ((request: Request) => string) | undefined
}

/** Answers every error in a form that suits the address: page, JSON or image. */
export function problemAnswers({ site, log, missing, requestId, onAnswered, refusalOf }: Options) {
  const saidAt = new Map(Object.entries(missing))
  const logOutage = onceAMinute(log)
  const logDamage = onceAMinute(log)

  return new Elysia({ name: 'problems' }).onError({ as: 'global' }, (context) => {
    const { code, request } = context
    const error = context.error instanceof SignInRequired ? refused(context.error, request) : context.error
    // If the Host header is not a host, the address cannot be parsed.
    const url = URL.parse(request.url) ?? Object.assign(new URL(site.baseUrl), { pathname: context.path })
    const visitor = 'visitor' in context ? (context.visitor as Visitor | null) : null
    const route = context.route ?? ''
    const said = saidAt.get(url.pathname.replace(/\/$/, ''))
    const problem =
      error instanceof SignInRequired ? null : hintedAt(url, { route, said }, site, problemOf(error, code))
    const response =
      problem === null
        ? leaveFor(request, signInAddress(request, url))
        : answer(site, request, url, problem, visitor?.user ?? null)
    const seconds = secondsSince('startedAt' in context ? (context.startedAt as number) : 0)
    const facts = { request, route, status: response.status, seconds }
    const answered = problem === null ? facts : { ...facts, code: problem.code }
    if (problem !== null) logProblem(problem, error, answered)
    onAnswered?.(answered)
    // Otherwise Elysia would replace a 200 with the status of the error.
    context.set.status = response.status
    return response
  })

  /** Without a proxy that signs in, visitors are sent to sign in, except by a poll: their page may hold what they typed. */
  function refused(error: SignInRequired, request: Request): Problem | SignInRequired {
    if (refusalOf !== undefined) return new Problem('forbidden', refusalOf(request))
    return request.headers.has('shipfeed-poll') ? new Problem('unauthorized') : error
  }

  /** Logs each fault of ours, but an outage only once a minute, because it affects every request. */
  function logProblem({ status, code }: Problem, error: unknown, answered: Answered): void {
    const facts = () => ({ ...requestFacts(answered, requestId), status })
    // A Problem is a decision, such as the limit of streams, and not a fault to investigate.
    if (error instanceof Problem || status < 500) {
      log('refused', () => ({ ...facts(), code }))
    } else if (code === 'internal_error') {
      log('fault', { ...facts(), ...errorFacts(error, { withStack: true }) })
    } else if (error instanceof Damaged) {
      logDamage('database_damaged', () => ({ ...facts(), ...errorFacts(error) }))
    } else {
      logOutage('unavailable', () => ({ ...facts(), ...errorFacts(error) }))
    }
  }
}

type Headers = Readonly<Record<string, string>>

function problemOf(error: unknown, code: unknown): Problem {
  if (error instanceof Problem) return error
  if (code === 'NOT_FOUND') return new Problem('not_found')
  if (!(error instanceof Busy) && !isOutage(error)) return new Problem('internal_error')
  return new Problem('unavailable', adviceFor(error), { 'Retry-After': outageRetryAfter })
}

/** What to do, if it is not to wait for the database. */
function adviceFor(error: unknown): string | undefined {
  if (error instanceof Busy) return 'Too many requests for this at the moment. Try again in a few seconds.'
  if (error instanceof Migrating) return 'Shipfeed is starting. Try again in a few seconds.'
  if (isDiskFull(error))
    return 'The disk of the database is full, so nothing new is accepted. Try again later.'
  return undefined
}

/** Replaces the message of a problem with a hint, where the address shows what is wrong. */
function hintedAt(
  { pathname }: URL,
  { route, said }: { readonly route: string; readonly said: string | undefined },
  { baseUrl }: Site,
  problem: Problem,
): Problem {
  if (problem.status >= 500) return problem
  if (said !== undefined) return new Problem('not_found', said)
  // An address of the API that has no route may still match the route of a page.
  if (apiPath.test(pathname) && !apiPath.test(route)) {
    return new Problem(
      'not_found',
      'The API is at POST /api and GET /api/deployments, in lower case; /openapi.json lists all of it.',
    )
  }
  const basePath = basePathOf(baseUrl)
  const isFound = problem.status !== 404 && problem.status !== 405
  if (basePath === '' || isFound || pathBelow(basePath, pathname) === null) return problem
  return new Problem(
    'not_found',
    `The proxy in front of Shipfeed has to remove ${basePath} from every address.`,
  )
}

/** The addresses of the API and misspellings of them. */
const apiPath = /^\/(api|mcp)(\/|$)/i

/** Addresses that pages of any origin may read. Errors of feeds are JSON in all formats. */
const ofAnyOrigin =
  /^\/(api\/(compare|current|deployments|releases)|oembed\/?$|([^/]+\/)?feed\.(atom|json)\/?$|.+\/changelog\.(atom|md)\/?$)/

function answer(site: Site, { method }: Request, url: URL, problem: Problem, viewer: User | null): Response {
  const { status, headers } = problem
  if (url.pathname.startsWith('/badge/')) return badgeProblem(url, problem)
  if (url.pathname.endsWith('/year.svg')) return yearProblem(url, problem)
  if (ofAnyOrigin.test(url.pathname)) return problemJson(problem, { ...jsonHeaders, ...anyOrigin })
  // People are sent to sign in: only programs are told that they may not read.
  const isForProgram = problem.code === 'unauthorized' || url.pathname.endsWith('.json')
  if (apiPath.test(url.pathname) || isForProgram) return problemJson(problem, jsonHeaders)
  const { code, message } = problem
  const search = url.pathname === '/' && status === 400 ? url.searchParams.get('q') : null
  const isOfLink = status === 404 && /^\/password\/?$/.test(url.pathname)
  const heading = isOfLink ? 'This link no longer works' : null
  const markup = <ProblemPage {...{ site, viewer, code, status, message, heading, search }} />
  const refresh = status === 503 && method === 'GET' ? { Refresh: outageRefresh } : {}
  return page(markup, { status, headers: { ...headers, ...refresh }, isPrivate: true })
}

/** An error is an image too, because a broken image in a README explains nothing. */
function badgeProblem(url: URL, problem: Problem): Response {
  if (url.pathname.endsWith('.json')) return problemJson(problem, badgeHeaders.json)
  const facts = { status: imageStatusOf(problem), age: null }
  const image = renderBadge(facts, choiceOf(Object.fromEntries(url.searchParams)))
  return imageProblem(image, problem, badgeHeaders.svg)
}

function yearProblem({ searchParams }: URL, problem: Problem): Response {
  const theme = themeOf(searchParams.get('theme'))
  const today = utcDayOf(new Date())
  const caption = statusWords[imageStatusOf(problem)]
  return imageProblem(String(YearImage({ theme, today, days: null, caption })), problem, yearHeaders)
}

function imageStatusOf({ status }: Problem): 'Unknown' | 'Unavailable' {
  return status < 500 ? 'Unknown' : 'Unavailable'
}

function imageProblem(image: string, { status, code, headers }: Problem, ofItsKind: Headers): Response {
  // Image proxies cache a failure and would show it long after the outage.
  const answer = code === 'unavailable' ? { status: 200, headers: outageHeaders } : { status, headers }
  return new Response(image, { ...answer, headers: { ...ofItsKind, ...answer.headers } })
}

function problemJson({ status, code, message, details, headers }: Problem, ofItsKind: Headers): Response {
  const body = jsonText(problemBody(code, message, details))
  return new Response(body, { status, headers: { ...ofItsKind, ...headers } })
}

/** After signing in, a GET continues at its address; a form has to be sent again. */
function signInAddress(request: Request, url: URL): string {
  if (request.method !== 'GET' && request.method !== 'HEAD') return '/sign-in'
  const next = new URL(url)
  // A key is a secret, and of no use to a reader who signs in.
  if (next.searchParams.has('key')) next.searchParams.delete('key')
  return `/sign-in?next=${encodeURIComponent(next.pathname + next.search)}`
}
