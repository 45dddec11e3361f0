import { nosniff } from '../../http/headers.ts'

/** Image proxies keep an image for a year unless every one of these says no (docs/decisions.md#badge). */
const badgeHeaders = {
  ...nosniff,
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-cache, no-store, must-revalidate, max-age=0',
  Expires: '0',
  Pragma: 'no-cache',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Referrer-Policy': 'no-referrer',
}

export const badgeSvgHeaders = { ...badgeHeaders, 'Content-Type': 'image/svg+xml; charset=utf-8' }

export const badgeJsonHeaders = { ...badgeHeaders, 'Content-Type': 'application/json; charset=utf-8' }

/** The same for browsers and image proxies, and for a CDN (RFC 9213) the time for which it may keep a badge. */
export function forCdn(usual: Headers, seconds: number): Headers {
  const headers = new Headers(usual)
  // Without the second directive, it might show a badge for longer while it does not reach us.
  headers.set('CDN-Cache-Control', `max-age=${seconds}, must-revalidate`)
  return headers
}
