import { Elysia } from 'elysia'
import type { ProblemCode } from '../domain/problems.ts'
import type { Facts, Log } from '../log/log.ts'

/** A request and its answer. `seconds` is the time until the answer begins, even for a stream. */
export type Answered = {
  readonly request: Request
  /** The pattern of the route, such as `/:username`; empty if no route matched. */
  readonly route: string
  readonly status: number
  /** The code of the problem that was the answer, if any. */
  readonly code?: ProblemCode
  readonly seconds: number
}

/** Called with every answer. */
export type OnAnswered = (answered: Answered) => void

/** Combines listeners into one; undefined if there are none, so that requests cost nothing extra. */
export function toAll(listeners: readonly OnAnswered[]): OnAnswered | undefined {
  if (listeners.length < 2) return listeners[0]
  return (answered) => {
    for (const listener of listeners) listener(answered)
  }
}

/** The seconds since `startedAt`, an instant of performance.now(); 0 if no route matched. */
export function secondsSince(startedAt: number): number {
  return startedAt === 0 ? 0 : (performance.now() - startedAt) / 1_000
}

/**
 * Stores when each request began in `startedAt`, and reports every answer that is not an error;
 * web/error-handler.tsx reports the errors.
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

/** Gives the id that all log lines of a request share. */
export type RequestIds = (request: Request) => string

/** A request id of a proxy or tracer: short enough, and without characters that could break a log line. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/

/**
 * Makes the function that gives a request its id: the X-Request-Id of a trusted proxy, so that our log lines
 * match its own, otherwise a random id. The id is made when a log line first needs it, because most requests
 * have no log line.
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
 * The facts about a request for the log. Our paths contain no secrets; queries, bodies and headers may, so
 * they are omitted.
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

/** Logs a random share (0 to 1) of all requests. */
export function accessLog(share: number, log: Log, requestId: RequestIds): OnAnswered {
  return (answered) => {
    if (Math.random() < share) log('request', requestFacts(answered, requestId))
  }
}
