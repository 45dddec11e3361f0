/**
 * The path of a public address without a slash at its end: `/ship`, or '' if it has none. A proxy removes it
 * from requests, so it is added only to the addresses that we send (docs/decisions.md#operation).
 */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** Converts a path of the browser to a path of our routes; null if it is not below the base path. */
export function pathBelow(basePath: string, path: string): string | null {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
}
