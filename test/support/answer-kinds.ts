const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; " +
  "frame-ancestors 'none'"

const isolated = "default-src 'none'; frame-ancestors 'none'"

const everyPage = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  vary: 'Accept-Encoding, HX-Request, Cookie',
  'referrer-policy': 'same-origin',
}

const ownPage = { ...everyPage, 'cache-control': 'no-store' }

const everyBadge = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cache-control': 'no-cache, no-store, must-revalidate, max-age=0',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
  'x-content-type-options': 'nosniff',
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
}

const api = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': isolated,
}

const asset = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': isolated,
  'cross-origin-resource-policy': 'same-origin',
  vary: 'Accept-Encoding',
}

/** The headers of each kind of answer, whatever its status (docs/decisions.md#badge, #pages). */
export const answerKinds = {
  'public page': {
    ...everyPage,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
  },
  'own page': { ...ownPage, 'content-type': 'text/html; charset=utf-8' },
  redirect: ownPage,
  badge: { ...everyBadge, 'content-type': 'image/svg+xml; charset=utf-8' },
  year: {
    ...everyBadge,
    'content-type': 'image/svg+xml; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  },
  'badge JSON': { ...everyBadge, 'content-type': 'application/json; charset=utf-8' },
  JSON: { ...api, 'content-type': 'application/json; charset=utf-8' },
  text: { ...api, 'content-type': 'text/plain; charset=utf-8' },
  'hashed asset': { ...asset, 'cache-control': 'public, max-age=31536000, immutable' },
  asset: { ...asset, 'cache-control': 'public, max-age=86400' },
} as const

export type AnswerKind = keyof typeof answerKinds

/** Headers that depend on the answer and not on its kind. */
const particular = new Set([
  'date',
  'etag',
  'content-length',
  'transfer-encoding',
  'content-encoding',
  'allow',
  'location',
  'retry-after',
  'refresh',
  'set-cookie',
  'www-authenticate',
  'ratelimit',
  'ratelimit-policy',
  'idempotent-replayed',
  'x-shipfeed-status',
])

/** The headers of an answer that its kind should decide; for an asset its type is particular too. */
export function kindHeaders(kind: AnswerKind, { headers }: Response): Record<string, string> {
  const isAsset = kind === 'asset' || kind === 'hashed asset'
  const own = [...headers].filter(([name]) => !particular.has(name) && !(isAsset && name === 'content-type'))
  return Object.fromEntries(own)
}
