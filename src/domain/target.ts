/** What a posted link or a badge filter points at: a host, or a host with a path prefix. */
export type Target = {
  /** Lower-case, punycode, without leading `www.`, port or trailing dot. */
  readonly host: string
  /** `''` or `/segment/segment`, lower-case. */
  readonly path: string
}

/** The scope that every deployment counts for. */
export const everything = ''

const maxCharacters = 2048
/** The longest name that DNS can hold. */
const maxHostLength = 253
const maxSegments = 8
/** With a host it makes a scope of fewer bytes than an index row of Postgres may have (2,704). */
const maxPathLength = 1024
const maxParents = 8

/**
 * Reads a link, a pasted URL, a host or `host/path` (docs/decisions.md#targets); null when it is none of them.
 * Links and filters are cut alike, to 8 segments and 1,024 characters of path, so a filter that is deeper
 * equals its beginning.
 */
export function targetOf(text: string): Target | null {
  if (text.length > maxCharacters) return null
  const written = text.trim()
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(written) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return null
  const url = URL.parse(scheme === undefined ? `http://${written}` : written)
  if (url === null || url.username !== '' || url.password !== '') return null
  const host = hostOf(url)
  return host === null ? null : { host, path: pathOf(url) }
}

/**
 * The one key under which the latest deployment of a filter is kept. It is also the target as people write
 * it: reading it again gives the same target.
 */
export function scopeOf(target: Target | null): string {
  return target === null ? everything : target.host + target.path
}

/**
 * All scopes that a deployment with this target counts for: everything, then its host and the parent domains
 * (the eight shortest, and none of an IP address), each alone and with every prefix of the path.
 */
export function scopesOf(target: Target | null): string[] {
  if (target === null) return [everything]
  const segments = target.path.split('/').slice(1)
  const paths = ['', ...segments.map((_, index) => `/${segments.slice(0, index + 1).join('/')}`)]
  const hosts = [target.host, ...parentsOf(target.host)]
  return [everything, ...hosts.flatMap((host) => paths.map((path) => host + path))]
}

function hostOf(url: URL): string | null {
  const host = url.hostname.replace(/^(?:www\.)+/, '').replace(/\.+$/, '')
  const isName = host !== '' && host.length <= maxHostLength && !host.startsWith('.') && !host.includes('..')
  return isName ? host : null
}

function pathOf(url: URL): string {
  const segments = url.pathname.split('/').filter((segment) => segment !== '')
  return segments
    .slice(0, maxSegments)
    .map((segment) => `/${spellingOf(segment)}`)
    .join('')
    .slice(0, maxPathLength)
    .replace(/\/$/, '')
}

/**
 * One lower-case spelling of a segment however it is escaped: the query string that carries a pasted URL has
 * lost some of its escapes already.
 */
function spellingOf(segment: string): string {
  try {
    const escaped = encodeURIComponent(decodeURIComponent(segment).toLowerCase())
    return escaped
      .replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, (needless) => decodeURIComponent(needless))
      .toLowerCase()
  } catch {
    // A stray % or bytes that are not UTF-8: there is nothing to read but the escapes.
    return segment.toLowerCase()
  }
}

function parentsOf(host: string): string[] {
  const isIpv4 = /\.\d+$/.test(host)
  if (isIpv4) return []
  const labels = host.split('.')
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(1)
    .slice(-maxParents)
}
