import type { Facts } from '../../log/line.ts'
import type { Answered } from './answered.ts'
import type { RequestIds } from './request-id.ts'

/**
 * What a line of the log says of a request. Our paths hold no secrets; queries, bodies and headers may, so
 * they stay out.
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
