import type { Server } from 'bun'
import { urlOf } from '../domain/field-parsing.ts'
import { Problem } from './problem.ts'
import type { SecurityLog } from './security-log.ts'

/** The hook that refuses forms from pages of other origins. */
export function refuseForeignForms(baseUrl: string, logSecurity: SecurityLog) {
  return ({ request, server }: { request: Request; server: Server<unknown> | null }) => {
    if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request, baseUrl)) return
    logSecurity('form_refused', { request, server })
    throw new Problem(
      'forbidden',
      'This form was not sent from a page of this server. Open the page again and send the form from there.',
    )
  }
}

/** By Sec-Fetch-Site or, on plain http, where browsers omit it, by Origin (docs/decisions.md#accounts). */
function isSameOrigin({ headers, url }: Request, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = urlOf(headers.get('origin') ?? '')?.host
  return origin !== undefined && [URL.parse(baseUrl)?.host, URL.parse(url)?.host].includes(origin)
}
