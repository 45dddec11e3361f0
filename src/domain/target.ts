import { maxAuthorityLength, urlOf, withoutSurplusMarks } from './field-parsing.ts'
import { isTooLong } from './text-bounds.ts'

/** The target of a link or a filter: a host, or a project, which is a host with a path. */
export type Target = {
  /** Lower-case, punycode, without leading `www.`, port or trailing dot. */
  readonly host: string
  /** The segments of the project, in lower case. */
  readonly path: readonly string[]
}

/** The version of the rule below. Links that an older one read are read again (data/upkeep/rereading.ts). */
export const targetRule = 3

/** The scope that every deployment counts for. */
export const everything = ''

/** In code points. Longer links and filters have no target. */

/** The longest name in DNS. */
const maxHostLength = 253
const maxParents = 8
const maxSegments = 6
const maxBytes = 512

/** GitLab's separator: on any host, the path before it is a project, however deep. */
const separator = '-'

/** After a project, each of these segments starts the address of a page of the project. */
const partsOfProjects: ReadonlySet<string> = new Set(
  `
  actions blob commit commits compare issues job jobs merge_requests pipelines pull pull-requests pulls
  releases src tag tags tree
  `
    .trim()
    .split(/\s+/),
)

/** The optional end of a repository's address, which also ends the project. */
const suffix = '.git'

/** The number of segments of a project if the address does not show where it ends. */
const usualSegments = 2

/** Reads a link or filter, `host` or `host/path`, up to the end of its project (docs/decisions.md#targets), or null. */
export function targetOf(text: string): Target | null {
  const link = readCanonical(text)
  if (link !== null) return targetIn(link)
  if (isTooLong(text, 'link')) return null
  const written = text.trim()
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(written) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return null
  const url = readLink(scheme === undefined ? `http://${written}` : written)
  return url === null ? null : targetIn(url)
}

/** The target of a link that was read already; null if it has none. */
export function targetIn(link: LinkParts): Target | null {
  if (link.username !== '' || link.password !== '') return null
  const host = hostOf(link)
  return host === null ? null : { host, path: projectSegments(host, segmentsOf(link)) }
}

/** What lists and targets read of a link; URL has all of it. */
export type LinkParts = Pick<URL, 'host' | 'hostname' | 'pathname' | 'username' | 'password'>

/** As URL.parse would write it: no port, query or escape, and no label that begins with a digit or is punycode. */
const canonical = /^https?:\/\/((?:(?!xn--)[a-z][a-z\d-]*\.)*(?!xn--)[a-z][a-z\d-]*)((?:\/(?!\.)[\w.~-]*)*)$/

/** Reads what `urlOf` would read. Nearly all links are canonical, and these it reads four times as fast. */
export function readLink(text: string): LinkParts | null {
  return readCanonical(text) ?? urlOf(text)
}

/** Reads a canonical link; null for every other text. */
export function readCanonical(text: string): LinkParts | null {
  if (text.length > maxAuthorityLength) return null
  const found = canonical.exec(text)
  if (found === null) return null
  const host = found[1] as string
  return { host, hostname: host, pathname: found[2] || '/', username: '', password: '' }
}

/** How many scopes a deployment can count for. */
export const mostScopes = 2 + maxParents + maxSegments

/** Whether a text is spelled like a scope. */
export function isScope(text: string): boolean {
  return text.length <= maxBytes && /^[!-~]*$/.test(text)
}

/** The key of a target. Reading it gives the same target, so a path that would be read as shorter ends with `/-`. */
export function scopeOf(target: Target | null): string {
  if (target === null) return everything
  const { host, path } = target
  if (path.length === 0) return host
  const scope = `${host}/${path.join('/')}`
  return lengthOfProject(path) === path.length ? scope : `${scope}/${separator}`
}

/** All scopes that a deployment with this target counts for (docs/decisions.md#targets). */
export function scopesOf(target: Target | null): string[] {
  if (target === null) return [everything]
  const { host, path } = target
  const paths = path.map((_, index) => scopeOf({ host, path: path.slice(0, index + 1) }))
  return [everything, host, ...parentsOf(host), ...paths]
}

/** What a deployment with this link counts for: all scopes, and the scope of its target, null if it has none. */
export function countedFor(url: string | null) {
  const target = url === null ? null : targetOf(url)
  return { scopes: scopesOf(target), target: target === null ? null : scopeOf(target) }
}

function hostOf({ hostname }: LinkParts): string | null {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  // The length is checked first, because the expressions below are quick only on short texts.
  if (name === '' || name.length > maxHostLength || /^\.|\.\.|\.$/.test(name)) return null
  return name.startsWith('www.') ? name.replace(/^(?:www\.)+(?=[^.]+\.)/, '') : name
}

/** Paths and segments that need no change, which are most of them. */
const plain = /^[a-z\d._~/-]*$/

function segmentsOf({ pathname }: LinkParts): string[] {
  const segments = pathname.split('/').filter((segment) => segment !== '')
  return plain.test(pathname) ? segments : segments.map(spellingOf)
}

/** One spelling of a segment however it is escaped: a pasted URL in a query string has lost some of its escapes. */
function spellingOf(segment: string): string {
  if (plain.test(segment)) return segment
  try {
    const escaped = encodeURIComponent(composed(decodeURIComponent(segment)))
    return escaped
      .replace(/%(?:24|26|2B|2C|3A|3B|3D|40)/g, (needless) => decodeURIComponent(needless))
      .toLowerCase()
  } catch {
    // A stray % or bytes that are not UTF-8: only the escapes themselves can be read.
    return segment.toLowerCase()
  }
}

/** Composing would take long with surplus marks, and may produce new ones. */
function composed(segment: string): string {
  return withoutSurplusMarks(withoutSurplusMarks(segment.toLowerCase()).normalize('NFC'))
}

/** The segments up to the end of the project, but not more than fit a scope. */
function projectSegments(host: string, segments: readonly string[]): string[] {
  const path = segments.slice(0, Math.min(lengthOfProject(segments), maxSegments)).map(withoutSuffix)
  while (scopeOf({ host, path }).length > maxBytes) path.pop()
  return path
}

function withoutSuffix(segment: string): string {
  let name = segment
  while (hasSuffix(name)) name = name.slice(0, -suffix.length)
  return name
}

/** A segment that is only `.git` is a name. */
function hasSuffix(segment: string): boolean {
  return segment.length > suffix.length && segment.endsWith(suffix)
}

function lengthOfProject(segments: readonly string[]): number {
  let withRepository = Number.POSITIVE_INFINITY
  let part = Number.POSITIVE_INFINITY
  let index = 0
  for (const segment of segments) {
    if (segment === separator) return Math.min(index, withRepository)
    if (index > 0 && partsOfProjects.has(segment)) part = Math.min(part, index)
    index += 1
    if (hasSuffix(segment)) withRepository = Math.min(withRepository, index)
  }
  const end = Math.min(part, withRepository)
  return end < Number.POSITIVE_INFINITY ? end : Math.min(segments.length, usualSegments)
}

function parentsOf(host: string): string[] {
  if (/\.\d+$/.test(host)) return [] // An IPv4 address.
  const labels = host.split('.')
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(1, -1)
    .slice(-maxParents)
}
