import type { Server } from 'bun'
import { urlOf } from '../domain/text-fields.ts'
import { Problem } from './problem.ts'
import type { SecurityLog } from './security-log.ts'

type Options = { readonly baseUrl: string; readonly logSecurity: SecurityLog }

/** Makes the hook that refuses forms that do not come from our own pages. */
export function refuseForeignForms({ baseUrl, logSecurity }: Options) {
  return ({ request, server }: { request: Request; server: Server<unknown> | null }) => {
    if (request.method === 'GET' || request.method === 'HEAD' || isSameOrigin(request, baseUrl)) return
    logSecurity('form_refused', { request, server })
    throw new Problem(
      'forbidden',
      'This form did not come from our own pages. Open the page again and send it from there.',
    )
  }
}

/**
 * Whether a request comes from a page of ours (docs/decisions.md#accounts). Browsers say so in
 * Sec-Fetch-Site; on plain http they omit it, and Origin decides.
 */
function isSameOrigin({ headers, url }: Request, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = urlOf(headers.get('origin') ?? '')?.host
  return origin !== undefined && [URL.parse(baseUrl)?.host, URL.parse(url)?.host].includes(origin)
}
