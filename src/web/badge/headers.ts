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
