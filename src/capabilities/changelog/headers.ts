import { nosniff, taggedJsonHeaders } from '../../http/headers.ts'

const framePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  'frame-ancestors *',
].join('; ')

/** For the page that other sites may show in a frame. It has no scripts, and knows no visitor. */
export const frameHeaders = {
  ...nosniff,
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': framePolicy,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

export const markdownHeaders = { ...taggedJsonHeaders, 'Content-Type': 'text/markdown; charset=utf-8' }
