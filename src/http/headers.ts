import { Elysia } from 'elysia'

export const nosniff = { 'X-Content-Type-Options': 'nosniff' }

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const pageHeaders = {
  ...nosniff,
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': pagePolicy,
  'X-Frame-Options': 'DENY',
  // Not no-referrer: browsers then send `Origin: null` from our own forms (docs/decisions.md#accounts).
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding, HX-Request, Cookie',
}

/** For a page of this reader alone: one with a form, or of somebody who is signed in. */
export const privateHeaders = { 'Cache-Control': 'no-store' }

export const jsonHeaders = {
  ...nosniff,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** For what any page anywhere may read. */
export const anyOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

export const textHeaders = { ...jsonHeaders, 'Content-Type': 'text/plain; charset=utf-8' }

export const assetHeaders = {
  ...nosniff,
  Vary: 'Accept-Encoding',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

export const eventStreamHeaders = {
  ...jsonHeaders,
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without it, nginx would hold messages back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

type StrictTransport = { readonly baseUrl: string; readonly hsts: 'on' | 'off' | 'subdomains' }

/** Tells browsers to use https only, if the public address is https (docs/decisions.md#operation). */
export function strictTransport({ baseUrl, hsts }: StrictTransport) {
  const app = new Elysia({ name: 'strict-transport' })
  if (hsts === 'off' || !baseUrl.startsWith('https:')) return app
  const value = `max-age=63072000${hsts === 'subdomains' ? '; includeSubDomains' : ''}`
  return app.onRequest(({ set }) => {
    set.headers['strict-transport-security'] = value
  })
}
