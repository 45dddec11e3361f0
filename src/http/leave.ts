import { seeOther } from './respond.ts'

/**
 * Sends a browser on from a form to another page as a whole, header included. To htmx a redirect would be
 * only one more answer to swap into a part of the page that it has.
 */
export function leave(request: Request, location: string, cookies: readonly string[] = []): Response {
  const response = seeOther(location, cookies)
  if (!request.headers.has('hx-request')) return response
  const headers = new Headers(response.headers)
  headers.delete('Location')
  headers.set('HX-Redirect', location)
  return new Response(null, { status: 204, headers })
}
