import { Elysia } from 'elysia'
import type { ProblemCode } from '../domain/problems.ts'
import type { Facts, Log } from '../log/log.ts'

/** A request and its answer. */
export type Answered = {
  readonly request: Request
  /** The pattern of the route, such as `/:username`; empty if no route matched. */
  readonly route: string
  readonly status: number
  /** The code of the problem, if the answer is one. */
  readonly code?: ProblemCode
  /** The time until the answer began. It does not include how long a stream lasts. */
  readonly seconds: number
}

/** Called with every answer. */
export type OnAnswered = (answered: Answered) => void

/** Combines listeners into one. Undefined if there are none, so that `reportAnswers` adds no hook for answers. */
export function toAll(listeners: readonly OnAnswered[]): OnAnswered | undefined {
  if (listeners.length < 2) return listeners[0]
  return (answered) => {
    for (const listener of listeners) listener(answered)
  }
}

/**
 * The seconds since `startedAt`, a time from performance.now(). Both are 0 if no route matched, or if the request was
 * refused before `startedAt` was set.
 */
export function secondsSince(startedAt: number): number {
  return startedAt === 0 ? 0 : (performance.now() - startedAt) / 1_000
}

/**
 * The plugin that sets `startedAt` at the beginning of each request to a route that is added after it, and reports
 * every answer that is not an error. web/error-handler.tsx reports the errors.
 */
export function reportAnswers(onAnswered: OnAnswered | undefined) {
  const app = new Elysia({ name: 'report-answers' })
    .decorate('startedAt', 0)
    .onTransform({ as: 'global' }, (context) => {
      context.startedAt = performance.now()
    })
  if (onAnswered === undefined) return app
  return app.onAfterHandle({ as: 'global' }, ({ request, route, startedAt, responseValue }) => {
    const status = responseValue instanceof Response ? responseValue.status : 200
    onAnswered({ request, route, status, seconds: secondsSince(startedAt) })
  })
}

/** Returns the id of a request, which is in all of its log lines. */
export type RequestIds = (request: Request) => string

/** The request ids that we accept from a proxy or tracer: short, and without characters that could break a log line. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/

/**
 * Makes the function that returns the id of a request. If a trusted proxy sent an X-Request-Id, that is the id, so that
 * our log lines match those of the proxy. Otherwise the id is random. It is made only when a log line needs it, because
 * most requests have no log line.
 */
export function requestIds(isFromTrustedProxy: (request: Request) => boolean): RequestIds {
  const given = new WeakMap<Request, string>()

  return (request) => {
    const known = given.get(request)
    if (known !== undefined) return known
    const sent = request.headers.get('x-request-id') ?? ''
    const id = wellFormed.test(sent) && isFromTrustedProxy(request) ? sent : crypto.randomUUID()
    given.set(request, id)
    return id
  }
}

/**
 * The facts about a request for the log. Queries, bodies and headers are left out, because they may contain secrets.
 * Our paths contain none.
 */
export function requestFacts(answered: Answered, requestId: RequestIds): Facts {
  const { request, route, status, seconds } = answered
  return {
    request: requestId(request),
    method: request.method,
    route: route || undefined,
    path: URL.parse(request.url)?.pathname,
    status,
    durationMs: Math.round(seconds * 10_000) / 10,
  }
}

/** Makes the listener that logs a random share (0 to 1) of all requests. */
export function accessLog(share: number, log: Log, requestId: RequestIds): OnAnswered {
  return (answered) => {
    if (Math.random() < share) log('request', requestFacts(answered, requestId))
  }
}
