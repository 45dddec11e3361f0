import { Problem } from '../http/problem.ts'

/**
 * The problem of one more than may be held at once: an address with too many is told so, and only a full
 * process is unavailable, for a proxy takes 503 for a sick server.
 */
export function noPlace(what: string, isFull: boolean): Problem {
  const message = `Too many ${what}. Try again later, or close some.`
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, { headers: { 'Retry-After': '20' } })
}
