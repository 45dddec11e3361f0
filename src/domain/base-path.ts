/** The path of a public address: `/ship` or ''. A proxy removes it from requests (docs/decisions.md#operation). */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** Converts a path of the browser to a path of our routes; null if it is not below the base path. */
export function pathBelow(basePath: string, path: string): string | null {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
}
