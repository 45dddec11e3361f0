/** What a posted link or a filter points at: a host, or a project, which is a host with a path. */
export type Target = {
  /** Lower-case, punycode, without leading `www.`, port or trailing dot. */
  readonly host: string
  /** The segments of the project, in lower case. */
  readonly path: readonly string[]
}

/** The number of the rule below. What an older one read is read again: data/upkeep/rereading.ts. */
export const targetRule = 2

/** The scope that every deployment counts for. */
export const everything = ''

/** In code points. Longer links and filters are not read. */
export const maxUrlCharacters = 2048

/** The longest name that DNS can hold. */
const maxHostLength = 253
const maxParents = 8
const maxSegments = 6
const maxBytes = 512

/** GitLab's separator: on any host, what stands before it is a project, however deep. */
const separator = '-'

/** After a project, each of these begins the address of something in it. */
const partsOfProjects: ReadonlySet<string> = new Set(
  `
  actions blob commit commits compare issues job jobs merge_requests pipelines pull pull-requests pulls
  releases src tag tags tree
  `
    .trim()
    .split(/\s+/),
)

/** The segments of a project if the address does not say where it ends. */
const usualSegments = 2

/**
 * Reads a link, a pasted URL, a host or `host/path` (docs/decisions.md#targets); null when it is none of
 * them. Links and filters are read alike, up to their project.
 */
export function targetOf(text: string): Target | null {
  if (text.length > maxUrlCharacters && [...text].length > maxUrlCharacters) return null
  const written = text.trim()
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(written) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return null
  const url = URL.parse(scheme === undefined ? `http://${written}` : written)
  if (url === null || url.username !== '' || url.password !== '') return null
  const host = hostOf(url)
  return host === null ? null : { host, path: projectOf(host, segmentsOf(url)) }
}

/**
 * The key under which the latest deployment of a target is kept, which is the target as people write it:
 * reading it again gives the same target. Therefore a path that would be read as shorter ends with `/-`.
 */
export function scopeOf(target: Target | null): string {
  if (target === null) return everything
  const { host, path } = target
  const end = lengthOfProject(path) === path.length ? [] : [separator]
  return [host, ...path, ...end].join('/')
}

/**
 * All scopes that a deployment with this target counts for: everything, its host, the parent domains (the
 * eight shortest of two labels or more, and none of an IP address), and the host with each beginning of the
 * path.
 */
export function scopesOf(target: Target | null): string[] {
  if (target === null) return [everything]
  const { host, path } = target
  const paths = path.map((_, index) => scopeOf({ host, path: path.slice(0, index + 1) }))
  return [everything, host, ...parentsOf(host), ...paths]
}

function hostOf({ hostname }: URL): string | null {
  const name = hostname.replace(/\.$/, '')
  // The length comes first, because the expressions below are quick on short texts alone.
  if (name === '' || name.length > maxHostLength || /^\.|\.\.|\.$/.test(name)) return null
  return name.replace(/^(?:www\.)+(?=[^.]+\.)/, '')
}

/** What is spelled as it will be, like most segments. */
const plain = /^[a-z\d._~-]*$/

function segmentsOf({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .filter((segment) => segment !== '')
    .map(spellingOf)
}

/**
 * One lower-case spelling of a segment however it is escaped, because a pasted URL in a query string has
 * already lost some of its escapes.
 */
function spellingOf(segment: string): string {
  if (plain.test(segment)) return segment
  try {
    const escaped = encodeURIComponent(decodeURIComponent(segment).toLowerCase().normalize('NFC'))
    return escaped
      .replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, (needless) => decodeURIComponent(needless))
      .toLowerCase()
  } catch {
    // A stray % or bytes that are not UTF-8: only the escapes themselves can be read.
    return segment.toLowerCase()
  }
}

/** The segments up to the end of the project, as many as a scope may hold. */
function projectOf(host: string, segments: readonly string[]): string[] {
  const path = segments.slice(0, Math.min(lengthOfProject(segments), maxSegments))
  while (scopeOf({ host, path }).length > maxBytes) path.pop()
  return path
}

function lengthOfProject(segments: readonly string[]): number {
  const end = segments.indexOf(separator)
  if (end >= 0) return end
  const part = segments.findIndex((segment, index) => index > 0 && partsOfProjects.has(segment))
  return part >= 0 ? part : Math.min(segments.length, usualSegments)
}

function parentsOf(host: string): string[] {
  const isIpv4 = /\.\d+$/.test(host)
  if (isIpv4) return []
  const labels = host.split('.')
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(1, -1)
    .slice(-maxParents)
}
