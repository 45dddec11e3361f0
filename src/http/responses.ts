import { jsonHeaders, pageHeaders, privateHeaders } from './headers.ts'
import { endGzip, type StartedPage } from './kept-pages.ts'

type Headers = Readonly<Record<string, string>>

type Init = { readonly status?: number; readonly headers: Headers }

type PageOptions = {
  readonly status?: number
  /** Whether caches must not store the page, for example because it is for a signed-in user or has a form. */
  readonly isPrivate: boolean
  readonly headers?: Headers
  /** If given, the answer may be compressed. Not for a page with a secret: the length could reveal it (BREACH). */
  readonly request?: Request
}

/** A whole page. */
export function page(markup: JSX.Element, options: PageOptions): Response {
  return html(documentOf(markup), options)
}

/** For a whole public page, which is rendered once and sent to many readers. */
export function pageResponder(markup: JSX.Element): Responder {
  return textResponder(documentOf(markup), { headers: pageHeaders })
}

const startedPageHeaders = new Headers(pageHeaders)
const gzippedPageHeaders = new Headers({ ...pageHeaders, 'Content-Encoding': 'gzip' })

/**
 * A whole public page from a compressed start and an end. A reader that has the start gets 304, even if the end is new.
 * The end has only the time, which scripts ignore in a page from the browser's cache (static/js/ages.js), and the id of
 * the last event, from which a live list continues.
 */
export function pageOfStart({ start, etag }: StartedPage, end: string, request: Request): Response {
  if (hasEtag(request, etag)) return bodiless(304, { ...pageHeaders, ETag: etag })
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

/** The text of a JSON answer. The newline makes a shell prompt start on its own line. */
export function jsonText(body: unknown): string {
  return `${JSON.stringify(body)}\n`
}

/** A JSON answer of the API. */
export function json(status: number, body: unknown, headers?: Headers): Response {
  return new Response(jsonText(body), { status, headers: { ...jsonHeaders, ...headers } })
}

/** An answer of the API without a body. */
export function empty(status: 202 | 204): Response {
  return bodiless(status, jsonHeaders)
}

/** Redirects a browser, which then sends a GET. `location` must be a path of this server, never unchecked input. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const response = bodiless(303, { ...pageHeaders, ...privateHeaders, Location: location })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Redirects permanently. `location` must be a path of this server, never unchecked input. */
export function moved(location: string): Response {
  return bodiless(308, { ...pageHeaders, Location: location })
}

/** Redirects a browser to another page. htmx would put that into a part of the old page, so it gets HX-Redirect. */
export function leaveFor(request: Request, location: string, cookies: readonly string[] = []): Response {
  const response = seeOther(location, cookies)
  if (!request.headers.has('hx-request')) return response
  response.headers.delete('Location')
  response.headers.set('HX-Redirect', location)
  return new Response(null, { status: 204, headers: response.headers })
}

/** Answers any number of requests with the same content. */
export type Responder = (request: Request) => Response

/** libdeflate's levels. Its level 1 takes a fifth less time than zlib's level 2, and compresses slightly less. */
const gzipLevels = { fast: 1, best: 9 } as const

/** A shorter text is not worth compressing. */
const minGzipCharacters = 1024

/** Tells caches to store the compressed and the plain form separately. */
const varyByEncoding = { Vary: 'Accept-Encoding' }

/** Answers with a text, gzipped if the caller accepts that. A `Vary` in `headers` must include Accept-Encoding. */
export function textResponder(
  plain: string,
  init: Init,
  gzipLevel: keyof typeof gzipLevels = 'fast',
): Responder {
  const bytes = Buffer.from(plain)
  const headers = { ...varyByEncoding, ...init.headers }
  const gzip = () => Bun.gzipSync(bytes, { library: 'libdeflate', level: gzipLevels[gzipLevel] })
  let identity: (() => Response) | null = null
  let gzipped: (() => Response) | null = null
  return (request) => {
    if (plain.length < minGzipCharacters || !acceptsGzip(request)) {
      identity ??= copies(bytes, { ...init, headers })
      return identity()
    }
    gzipped ??= copies(gzip(), { ...init, headers: { ...headers, 'Content-Encoding': 'gzip' } })
    return gzipped()
  }
}

/** Whether the caller accepts gzip. `gzip;q=0` refuses it (RFC 9110, 12.5.3). */
function acceptsGzip(request: Request): boolean {
  const codings = (request.headers.get('accept-encoding') ?? '').toLowerCase().split(',')
  return codings.some((coding) => /^\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/.test(coding))
}

/** Like `textResponder`, but a caller that already has the text gets 304. */
export function taggedResponder(text: string, { headers }: Pick<Init, 'headers'>): Responder {
  const etag = etagOf(text)
  const tagged = { ...varyByEncoding, ...headers, ETag: etag }
  const answer = textResponder(text, { headers: tagged })
  return (request) => (hasEtag(request, etag) ? bodiless(304, tagged) : answer(request))
}

function bodiless(status: number, { 'Content-Type': _, ...headers }: Headers): Response {
  return new Response(null, { status, headers })
}

/** An ETag of a plain text. It is weak, because the bytes that are sent depend on the compression. */
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

/** The same answer on each call. Bun clones a Response in an eighth of the time that constructing one takes. */
function copies(bytes: Uint8Array, init: Init): () => Response {
  if (bytes.length > maxBytesInOneWrite) return () => answerOf(bytes, init)
  const original = answerOf(bytes, init)
  return () => original.clone() as Response
}

/**
 * An answer to send or, if it is short, to clone. A long body is a stream, which Bun sends in two writes. Bun would
 * send any other long body of an asynchronous handler in about fifty writes, one for each name and value of a header,
 * which takes ten times the CPU time (Bun 1.4.5; pull request 41341 of oven-sh/bun fixes this).
 */
function answerOf(bytes: Uint8Array, init: ResponseInit): Response {
  if (bytes.length <= maxBytesInOneWrite) return new Response(bytes, init)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  return new Response(body, init)
}
