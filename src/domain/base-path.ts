/**
 * The path of a public address without a slash at its end: `/ship`, or '' where it has none. A proxy takes it
 * off what comes in, so it is put only before what goes out (docs/decisions.md#operation).
 */
export function basePathOf(baseUrl: string): string {
  return new URL(baseUrl).pathname.replace(/\/$/, '')
}

/** The path as our routes know it, of one as a browser knows it; null where it is not below the base path. */
export function pathBelow(basePath: string, path: string): string | null {
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null
}
