import { freshnessChangesAt } from '../../domain/freshness.ts'
import { ageChangesAt, hour, minute } from '../../domain/time.ts'
import { anyOrigin, imagePolicy, nosniff } from '../../http/headers.ts'

/** Image proxies cache an image for up to a year unless all of these forbid it (docs/decisions.md#badge). */
const anyBadge = {
  ...nosniff,
  'Content-Security-Policy': imagePolicy,
  'Cache-Control': 'no-cache, no-store, must-revalidate, max-age=0',
  // RFC 9111 requires a date here; any past one works.
  Expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  ...anyOrigin,
  'Referrer-Policy': 'no-referrer',
}

export const badgeHeaders = {
  svg: { ...anyBadge, 'Content-Type': 'image/svg+xml; charset=utf-8' },
  json: { ...anyBadge, 'Content-Type': 'application/json; charset=utf-8' },
} as const

/** Marks the image of an outage, whose status is 200. */
export const outageHeaders = { 'X-Shipfeed-Status': 'unavailable' }

/** The picture of a year in a README is as fresh as a badge; its colours are in a style sheet inside the SVG. */
export const yearHeaders = {
  ...badgeHeaders.svg,
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

/** Upper bound of a CDN's max-age in ms: a new deployment shows at most this late. */
const longest = hour
/** The same for a badge without an age, whose owner may be waiting to see their first deployment. */
const longestWithoutAge = minute

/** The same headers with the time for which a CDN may cache a badge of these latest deployments (RFC 9213). */
export function forCdn(usual: Headers, latest: readonly Date[], now: Date): Headers {
  const headers = new Headers(usual)
  // Without `must-revalidate`, a CDN that cannot reach us might serve the badge for longer.
  headers.set('CDN-Cache-Control', `max-age=${secondsUnchanged(latest, now)}, must-revalidate`)
  return headers
}

/** How long each state and each age stays the same. The accessible name has both, whatever the badge shows. */
function secondsUnchanged(latest: readonly Date[], now: Date): number {
  if (latest.length === 0) return longestWithoutAge / 1000
  const changes = latest.flatMap((one) => [ageChangesAt(one, now), freshnessChangesAt(one, now) ?? []].flat())
  const untilChange = Math.min(...changes.map(Number)) - now.getTime()
  return Math.floor(Math.min(untilChange, longest) / 1000)
}
