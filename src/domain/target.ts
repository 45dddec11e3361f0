import { maxAuthorityLength, urlOf, withoutSurplusMarks } from './field-parsing.ts'
import { lengthOfProject, packageIn, separator, withoutSuffix } from './project-path.ts'
import { isTooLong, textBounds } from './text-bounds.ts'

/** What a deployment, a link or a filter is about: a host, or a project, which is a host with a path. */
export type Target = {
  /** Lower-case, punycode, without leading `www.`, port or trailing dot; `-` for a project that was named. */
  readonly host: string
  /** The segments of the project, in lower case. */
  readonly path: readonly string[]
}

/** The version of the rule below. Links that an older one read are read again (data/upkeep/rereading.ts). */
export const targetRule = 4

/** The scope that every deployment counts for. */
export const everything = ''

/** The host of projects that announcements name. No name in DNS is a hyphen alone, so no link leads there. */
const ofNamed = '-'

const namePattern = '[\\w@][\\w.~@+-]*(?:/[\\w@][\\w.~@+-]*){0,2}'
export const projectPattern = `^${namePattern}$`
export const projectRule = `1 to 3 names with / between them, at most ${textBounds.project} characters: A-Z, a-z, 0-9, _ and @, and after the first of a name also . ~ + -`
const projectName = new RegExp(projectPattern)
const namedProject = new RegExp(`^${ofNamed}/(${namePattern})/?$`)

export function isProjectName(text: string): boolean {
  return text.length <= textBounds.project && projectName.test(text)
}

/** The longest name in DNS. */
const maxHostLength = 253
const maxParents = 8
const maxSegments = 6
const maxBytes = 512

/** Reads a link or filter, `host` or `host/path`, up to the end of its project (docs/decisions.md#targets), or null. */
export function targetOf(text: string): Target | null {
  const link = readCanonical(text)
  if (link !== null) return targetIn(link)
  if (isTooLong(text, 'link')) return null
  const written = text.trim()
  const [, name] = namedProject.exec(written) ?? []
  if (name !== undefined) return targetNamed(name)
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(written) ?? []
  if (scheme !== undefined && !/^https?$/i.test(scheme)) return null
  const url = readLink(scheme === undefined ? `http://${written}` : written)
  return url === null ? null : targetIn(url)
}

/** What a deployment is about: the project that it names, or else that of its link; null without either. */
export function targetOfDeployment({ url, project }: TargetFields): Target | null {
  if (project !== undefined) return targetNamed(project)
  return url === null ? null : targetOf(url)
}

/** The fields of a deployment that decide its target. */
export type TargetFields = { readonly url: string | null; readonly project?: string | undefined }

/** Whether announcements named the project, so that no host has it. */
export function isNamedProject({ host }: Target): boolean {
  return host === ofNamed
}

/** The name of a project in a scope that starts with it; null for the scope of a host. */
export function nameInScope(scope: string): string | null {
  return scope.startsWith(`${ofNamed}/`) ? scope.slice(ofNamed.length + 1) : null
}

function targetNamed(project: string): Target {
  return { host: ofNamed, path: project.toLowerCase().split('/') }
}

/** The target of a link without the package that its tag names; null if it has none. */
export function repositoryOf(url: string): Target | null {
  const link = readLink(url)
  return link === null ? null : targetIn(link, () => [])
}

/** The target of a link that was read already; null if it has none. */
export function targetIn(link: LinkParts, packageOf = packageIn): Target | null {
  if (link.username !== '' || link.password !== '') return null
  const host = hostOf(link)
  return host === null ? null : { host, path: projectSegments(host, segmentsOf(link), packageOf) }
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
export const maxScopes = 2 + maxParents + maxSegments

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
  return host === ofNamed || lengthOfProject(host, path) === path.length ? scope : `${scope}/${separator}`
}

/** All scopes that a deployment with this target counts for (docs/decisions.md#targets). */
export function scopesOf(target: Target | null): string[] {
  if (target === null) return [everything]
  const { host, path } = target
  const paths = path.map((_, index) => scopeOf({ host, path: path.slice(0, index + 1) }))
  return [everything, ...(host === ofNamed ? [] : [host, ...parentsOf(host)]), ...paths]
}

/** What a deployment counts for: all scopes, and the scope of its target, null if it has none. */
export function countedFor(announced: TargetFields) {
  const target = targetOfDeployment(announced)
  return { scopes: scopesOf(target), target: target === null ? null : scopeOf(target) }
}

function hostOf({ hostname }: LinkParts): string | null {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  // The length is checked first, because the expressions below are quick only on short texts.
  if (name === '' || name === ofNamed || name.length > maxHostLength || /^\.|\.\.|\.$/.test(name)) return null
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

/** The segments of the project and of the package that a tag names, but not more than fit a scope. */
function projectSegments(host: string, segments: readonly string[], packageOf: typeof packageIn): string[] {
  const end = lengthOfProject(host, segments)
  const own = segments.slice(0, Math.min(end, maxSegments)).map(withoutSuffix)
  const path = [...own, ...packageOf(own, segments.slice(end))].slice(0, maxSegments)
  while (scopeOf({ host, path }).length > maxBytes) path.pop()
  return path
}

function parentsOf(host: string): string[] {
  if (/\.\d+$/.test(host)) return [] // An IPv4 address.
  const labels = host.split('.')
  return labels
    .map((_, index) => labels.slice(index).join('.'))
    .slice(1, -1)
    .slice(-maxParents)
}
