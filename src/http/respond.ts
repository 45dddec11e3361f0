import { type PreparedResponse, prepare } from './compression.ts'
import { copies } from './copies.ts'
import { jsonHeaders, pageHeaders, privateHeaders } from './headers.ts'

type Headers = Readonly<Record<string, string>>

type PageOptions = {
  readonly status?: number
  /** Somebody's own page, or one with a form: it is not to be stored. */
  readonly isPrivate: boolean
  readonly headers?: Headers
  /**
   * Given, the answer may be compressed. Never for a page with a secret: next to text that somebody else
   * chose, the compressed length would give it away (BREACH).
   */
  readonly request?: Request
}

/** A whole page for everybody, made once and sent to many. */
export function preparedPage(markup: JSX.Element): PreparedResponse {
  return prepare(documentOf(markup), { headers: pageHeaders })
}

/** A whole page of a view's markup. */
export function page(markup: JSX.Element, options: PageOptions): Response {
  return respond(documentOf(markup), options)
}

/** A part of a page, for htmx to swap in. */
export function fragment(markup: JSX.Element, options: PageOptions): Response {
  return respond(String(markup), options)
}

function documentOf(markup: JSX.Element): string {
  return `<!doctype html>${markup}`
}

function respond(text: string, { isPrivate, request, ...options }: PageOptions): Response {
  const headers = { ...pageHeaders, ...(isPrivate ? privateHeaders : {}), ...options.headers }
  if (request === undefined) return copies(Buffer.from(text), { ...options, headers })()
  return prepare(text, { ...options, headers })(request)
}

/** A JSON answer of the API. */
export function json(status: number, body: unknown, headers?: Headers): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } })
}

/** Redirects a browser with GET, after a form or to sign in. `location` is a path of ours, never input. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const { 'Content-Type': _, ...headers } = { ...pageHeaders, ...privateHeaders, Location: location }
  const response = new Response(null, { status: 303, headers })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}

/** Says for good where a page is. `location` is a path of ours. */
export function moved(location: string): Response {
  const { 'Content-Type': _, ...headers } = { ...pageHeaders, Location: location }
  return new Response(null, { status: 308, headers })
}

/**
 * Sends a browser from a form to a whole new page, header included. htmx would follow a plain redirect and
 * swap the answer into a part of the old page.
 */
export function leaveFor(request: Request, location: string, cookies: readonly string[] = []): Response {
  const response = seeOther(location, cookies)
  if (!request.headers.has('hx-request')) return response
  const headers = new Headers(response.headers)
  headers.delete('Location')
  headers.set('HX-Redirect', location)
  return new Response(null, { status: 204, headers })
}
