import { jsonHeaders, pageHeaders, privateHeaders } from './headers.ts'
import { endGzip, type StartedPage } from './kept-pages.ts'

type Headers = Readonly<Record<string, string>>

type Init = { readonly status?: number; readonly headers: Headers }

type PageOptions = {
  readonly status?: number
  /** True for a page that caches must not store, such as a page drawn for a signed-in user, or a page with a form. */
  readonly isPrivate: boolean
  readonly headers?: Headers
  /**
   * If given, the answer may be compressed. Never give it for a page that contains a secret: if someone else can put
   * text into the same page, the length of the compressed page reveals the secret (BREACH).
   */
  readonly request?: Request
}

/** A whole page. */
export function page(markup: JSX.Element, options: PageOptions): Response {
  return html(documentOf(markup), options)
}

/** Makes the responder for a whole public page, which is rendered once and sent to many readers. */
export function pageResponder(markup: JSX.Element): Responder {
  return textResponder(documentOf(markup), { headers: pageHeaders })
}

const startedPageHeaders = new Headers(pageHeaders)
const gzippedPageHeaders = new Headers({ ...pageHeaders, 'Content-Encoding': 'gzip' })

/**
 * A whole public page, made from a compressed start and an end. A reader that already has the start gets 304, even if
 * the end is new: the end only says when the page was sent, and scripts ignore that time in a page from the browser's
 * cache (static/js/ages.js).
 */
export function pageOfStart({ start, etag }: StartedPage, end: string, request: Request): Response {
  if (hasEtag(request, etag)) return notModified({ ...pageHeaders, ETag: etag })
  const gzipped = endGzip(start, end)
  const response = acceptsGzip(request)
    ? answerOf(gzipped, { headers: gzippedPageHeaders })
    : answerOf(Bun.gunzipSync(gzipped, { library: 'libdeflate' }), { headers: startedPageHeaders })
  response.headers.set('ETag', etag)
  return response
}

/** A part of a page, which htmx swaps in. */
export function fragment(markup: JSX.Element, options: PageOptions): Response {
  return html(String(markup), options)
}

/** The text of a whole page. */
export function documentOf(markup: JSX.Element): string {
  return `<!doctype html>${markup}`
}

function html(text: string, { isPrivate, request, ...options }: PageOptions): Response {
  const headers = { ...pageHeaders, ...(isPrivate ? privateHeaders : {}), ...options.headers }
  if (request === undefined) return answerOf(Buffer.from(text), { ...options, headers })
  return textResponder(text, { ...options, headers })(request)
}

/** The text of a JSON answer. It ends with a newline, so that a shell prompt starts on its own line. */
export function jsonText(body: unknown): string {
  return `${JSON.stringify(body)}\n`
}

/** A JSON answer of the API. */
export function json(status: number, body: unknown, headers?: Headers): Response {
  return new Response(jsonText(body), { status, headers: { ...jsonHeaders, ...headers } })
}

/** An answer of the API without a body. */
export function empty(status: 202 | 204): Response {
  const { 'Content-Type': _, ...headers } = jsonHeaders
  return new Response(null, { status, headers })
}

/** Redirects a browser, which then sends a GET. `location` must be a path of this server, never unchecked input. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const { 'Content-Type': _, ...headers } = { ...pageHeaders, ...privateHeaders, Location: location }
  const response = new Response(null, { status: 303, headers })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Redirects permanently. `location` must be a path of this server, never unchecked input. */
export function moved(location: string): Response {
  const { 'Content-Type': _, ...headers } = { ...pageHeaders, Location: location }
  return new Response(null, { status: 308, headers })
}

/**
 * Redirects a browser so that the new page replaces the whole old one. If htmx made the request, it would follow a
 * plain redirect and put the new page into a part of the old one, so it gets HX-Redirect instead.
 */
export function leaveFor(request: Request, location: string, cookies: readonly string[] = []): Response {
  const response = seeOther(location, cookies)
  if (!request.headers.has('hx-request')) return response
  const headers = new Headers(response.headers)
  headers.delete('Location')
  headers.set('HX-Redirect', location)
  return new Response(null, { status: 204, headers })
}

/** Answers any number of requests with the same content. */
export type Responder = (request: Request) => Response

/** libdeflate's levels. Its level 1 takes a fifth less time than zlib's level 2, and compresses slightly less. */
const gzipLevels = { fast: 1, best: 9 } as const

/** Shorter texts are not compressed, because that would save no more bytes than the extra headers cost. */
const minGzipCharacters = 1024

/** Tells caches to store the compressed and the plain form separately. */
const varyByEncoding = { Vary: 'Accept-Encoding' }

/**
 * Makes the responder for a text. It gzips the text if that is worthwhile and the caller accepts gzip. If `headers` has
 * `Vary`, its value must include Accept-Encoding.
 */
export function textResponder(
  plain: string,
  init: Init,
  gzipLevel: keyof typeof gzipLevels = 'fast',
): Responder {
  const bytes = Buffer.from(plain)
  const headers = { ...varyByEncoding, ...init.headers }
  let identity: (() => Response) | null = null
  let gzipped: (() => Response) | null = null
  return (request) => {
    if (plain.length < minGzipCharacters || !acceptsGzip(request)) {
      identity ??= copies(bytes, { ...init, headers })
      return identity()
    }
    gzipped ??= copies(Bun.gzipSync(bytes, { library: 'libdeflate', level: gzipLevels[gzipLevel] }), {
      ...init,
      headers: { ...headers, 'Content-Encoding': 'gzip' },
    })
    return gzipped()
  }
}

/** Whether the caller accepts gzip. `gzip;q=0` refuses it (RFC 9110, 12.5.3). */
function acceptsGzip(request: Request): boolean {
  const codings = (request.headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(coding))
}

/**
 * Makes the responder for a text. A caller that already has the text gets 304. The ETag is made from the plain text. It
 * is weak, because the bytes that are sent depend on the compression.
 */
export function taggedResponder(text: string, { headers }: Pick<Init, 'headers'>): Responder {
  const etag = etagOf(text)
  const tagged = { ...varyByEncoding, ...headers, ETag: etag }
  const answer = textResponder(text, { headers: tagged })
  return (request) => {
    return hasEtag(request, etag) ? notModified(tagged) : answer(request)
  }
}

function notModified(headers: Headers): Response {
  const { 'Content-Type': _, ...rest } = headers
  return new Response(null, { status: 304, headers: rest })
}

/** A weak ETag for a text, or for anything that depends only on this text. */
export function etagOf(text: string): string {
  return `W/"${Bun.hash(text).toString(36)}"`
}

/** Whether If-None-Match in a request names this ETag. The comparison is weak (RFC 9110, 13.1.2). */
export function hasEtag({ headers }: Request, etag: string): boolean {
  const ifNoneMatch = headers.get('if-none-match')
  if (ifNoneMatch === null) return false
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag))
}

/** Bun sends headers and body in one write if the body has up to about this many bytes. */
const maxBytesInOneWrite = 15_000

/**
 * Makes a function that returns the same answer on each call. A short answer is cloned, because constructing
 * a Response takes Bun about eight times as long.
 *
 * The body of a long answer is a stream, without a Content-Length. Bun sends such an answer in two writes. If the body
 * were bytes or a string, Bun would send the answer of an asynchronous handler in about fifty writes, one for each name
 * and each value of a header. That would take ten times the CPU time (Bun 1.4.5; pull request 41341 of oven-sh/bun
 * fixes this).
 */
function copies(bytes: Uint8Array, init: Init): () => Response {
  if (bytes.length > maxBytesInOneWrite) return () => answerOf(bytes, init)
  const original = answerOf(bytes, init)
  return () => original.clone() as Response
}

/** An answer that is sent once. Its body is a stream if it is long, as `copies` explains. */
function answerOf(bytes: Uint8Array, init: ResponseInit): Response {
  return new Response(bytes.length > maxBytesInOneWrite ? streamOf(bytes) : bytes, init)
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
}
