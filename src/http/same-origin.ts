/**
 * Whether a request comes from a page of ours (docs/decisions.md#accounts). Browsers say so in
 * Sec-Fetch-Site; on plain http they leave it out, and Origin tells.
 */
export function isSameOrigin({ headers, url }: Request, baseUrl: string): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin' || site === 'none'
  const origin = URL.parse(headers.get('origin') ?? '')?.host
  return origin !== undefined && [URL.parse(baseUrl)?.host, URL.parse(url)?.host].includes(origin)
}
