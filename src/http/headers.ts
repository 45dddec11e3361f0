import { Elysia } from 'elysia'
import { basePathOf } from '../domain/base-path.ts'

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
  // With no-referrer, browsers would send `Origin: null` with our own forms (docs/decisions.md#accounts).
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'Cache-Control': 'no-cache',
  Vary: 'Accept-Encoding, HX-Request, Cookie',
}

/** For pages that caches must not store. */
export const privateHeaders = { 'Cache-Control': 'no-store' }

export const jsonHeaders = {
  ...nosniff,
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** Keeps an SVG that is opened as a document from running or loading anything. */
export const imagePolicy = "default-src 'none'; sandbox"

/** For answers that pages of any origin may read. */
export const anyOrigin = {
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

/** For JSON that programs of any origin ask for again and again: they get 304 until it changes. */
export const taggedJsonHeaders = { ...jsonHeaders, ...anyOrigin, 'Cache-Control': 'no-cache' }

export const textHeaders = { ...jsonHeaders, 'Content-Type': 'text/plain; charset=utf-8' }

export const assetHeaders = {
  ...nosniff,
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** Makes browsers use only https, if the public address is https (docs/operations.md#behind-a-proxy). */
export function strictTransport(baseUrl: string, hsts: 'on' | 'off' | 'subdomains') {
  const app = new Elysia({ name: 'strict-transport' })
  if (hsts === 'off' || !baseUrl.startsWith('https:')) return app
  const value = `max-age=63072000${hsts === 'subdomains' ? '; includeSubDomains' : ''}`
  return app.onRequest(({ set }) => {
    set.headers['strict-transport-security'] = value
  })
}

/** Prepends the path of the public address to the path of every redirect. */
export function redirectsUnderBasePath(baseUrl: string) {
  const path = basePathOf(baseUrl)
  const app = new Elysia({ name: 'base-path' })
  if (path === '') return app
  return app.mapResponse({ as: 'global' }, ({ response }) => {
    if (!(response instanceof Response)) return
    for (const name of ['Location', 'HX-Redirect']) {
      const to = response.headers.get(name)
      if (to?.startsWith('/')) response.headers.set(name, path + to)
    }
  })
}
