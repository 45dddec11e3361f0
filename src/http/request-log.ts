import { Elysia } from 'elysia'
import type { ProblemCode } from '../domain/problems.ts'
import type { Facts, Log } from '../log/log.ts'

export type Answered = {
  readonly request: Request
  /** The pattern of the route, such as `/:username`; empty if no route matched. */
  readonly route: string
  readonly status: number
  /** If the answer is a problem. */
  readonly code?: ProblemCode
  /** The time until the answer began. It does not include how long a stream lasts. */
  readonly seconds: number
}

export type OnAnswered = (answered: Answered) => void

/** Combines listeners into one; undefined if there are none, so that `reportAnswers` adds no hook for answers. */
export function toAll(listeners: readonly OnAnswered[]): OnAnswered | undefined {
  if (listeners.length < 2) return listeners[0]
  return (answered) => {
    for (const listener of listeners) listener(answered)
  }
}

/** The seconds since `startedAt`, a time of performance.now(), or 0 if `startedAt` is still 0. */
export function secondsSince(startedAt: number): number {
  return startedAt === 0 ? 0 : (performance.now() - startedAt) / 1_000
}

/**
 * Sets `startedAt` for each request to a route that is added after this plugin, once earlier hooks such as the check
 * for members have run, and reports every answer but errors, which web/error-handler.tsx reports.
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

/** Returns the id of a request, which is in the log lines about it. */
export type RequestIds = (request: Request) => string

/** Short, and without characters that could break a log line. */
const wellFormed = /^[\w.:+/=@-]{1,128}$/

/** The id of a request is a trusted proxy's X-Request-Id, as in the proxy's own log, or else random. */
export function requestIds(isFromTrustedProxy: (request: Request) => boolean): RequestIds {
  const given = new WeakMap<Request, string>()
  const idOf = (request: Request) => {
    const sent = request.headers.get('x-request-id') ?? ''
    return wellFormed.test(sent) && isFromTrustedProxy(request) ? sent : crypto.randomUUID()
  }
  return (request) => given.getOrInsertComputed(request, idOf)
}

/** The facts about a request for the log, without queries, bodies and headers, which may contain secrets. */
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
