import { Elysia } from 'elysia'
import { Problem } from './problem.ts'

/**
 * Refuses a form that another site made a browser send (decisions, "Accounts and tokens"). Browsers say
 * where a request comes from; on plain http they leave Sec-Fetch-Site out and Origin tells.
 */
export function sameOrigin({ baseUrl }: { baseUrl: string }) {
  return new Elysia({ name: 'same-origin' }).onBeforeHandle({ as: 'scoped' }, ({ request }) => {
    if (request.method === 'GET' || request.method === 'HEAD' || isOurs(request, baseUrl)) return
    throw new Problem(
      'forbidden',
      'This form did not come from our own pages. Open the page again and send it there.',
    )
  })
}

function isOurs({ headers, url }: Request, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = URL.parse(headers.get('origin') ?? '')?.host
  return origin !== undefined && [URL.parse(baseUrl)?.host, URL.parse(url)?.host].includes(origin)
}
