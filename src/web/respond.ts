import { jsonHeaders, pageHeaders, privateHeaders } from './headers.ts'
import type { Problem } from './problem.ts'

type Headers = Readonly<Record<string, string>>

type PageOptions = {
  readonly status?: number
  /** Somebody's own page, or one with a form: not to be stored, its address not to be passed on. */
  readonly isPrivate: boolean
  readonly headers?: Headers
}

/** A whole page of a view's markup. */
export function page(markup: JSX.Element, options: PageOptions): Response {
  return fragment(`<!doctype html>${markup}`, options)
}

/** A part of a page, for htmx to swap in. */
export function fragment(markup: JSX.Element, { status = 200, isPrivate, headers }: PageOptions): Response {
  return new Response(String(markup), {
    status,
    headers: { ...pageHeaders, ...(isPrivate ? privateHeaders : {}), ...headers },
  })
}

/** A JSON answer of the API. */
export function json(status: number, body: unknown, headers?: Headers): Response {
  return new Response(JSON.stringify(body), { status, headers: { ...jsonHeaders, ...headers } })
}

/** A problem in the API's error shape. */
export function problemJson({ status, code, message, headers }: Problem): Response {
  return json(status, { error: code, message }, headers)
}

/** Sends a browser on with GET, after a form or to sign in. `location` is a path of ours, never input. */
export function seeOther(location: string, cookies: readonly string[] = []): Response {
  const { 'Content-Type': _, ...headers } = { ...pageHeaders, ...privateHeaders, Location: location }
  const response = new Response(null, { status: 303, headers })
  for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
  return response
}
