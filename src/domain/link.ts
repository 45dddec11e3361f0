import { linkFrom } from './announcement/git-address.ts'
import { type Field, hasBidiControl, parseOptional, storageProblems, urlOf } from './field-parsing.ts'
import { isPublicForge } from './project-path.ts'
import {
  isNamedProject,
  type LinkParts,
  readCanonical,
  readLink,
  scopeOf,
  type Target,
  type TargetFields,
  targetIn,
  targetOf,
  targetOfDeployment,
} from './target.ts'
import { isTooLong, textBounds } from './text-bounds.ts'

/** The project that a deployment is about: one that it names, a repository on a public forge, or else a host. */
export type Project = {
  /** The scope (target.ts) of its page and its badge. */
  readonly scope: string
  /** The owner of the repository, including groups, or what precedes the last name; null without one. */
  readonly owner: string | null
  /** The own name of the project or the repository, or the host. Escaped like a target. */
  readonly name: string
}

export type LinkFacts = ReturnType<typeof linkFactsOf>

/** What an entry shows of a posted link. */
export function linkFactsOf(url: string) {
  const parts = readCanonical(url) ?? urlOf(url)
  return { reference: referenceIn(parts), host: parts?.host ?? null }
}

/** The project of a deployment (docs/decisions.md#feed); null if it has no target. */
export function projectOf(deployment: TargetFields): Project | null {
  const target = targetOfDeployment(deployment)
  return target === null ? null : projectIn(target)
}

/** The project whose page has this target. */
export function projectIn(target: Target): Project {
  const { host, path } = target
  const name = path.at(-1)
  if (name === undefined || (!isNamedProject(target) && (!isPublicForge(host) || path.length < 2))) {
    return { scope: host, owner: null, name: host }
  }
  return { scope: scopeOf(target), owner: path.slice(0, -1).join('/') || null, name }
}

/** Where a target lies on the web, for a package its repository; null for a project that announcements name. */
export function pageOfTarget(scope: string): string | null {
  const target = targetOf(scope)
  if (target === null || isNamedProject(target)) return null
  const { host, path } = target
  // Only GitLab has repositories below groups.
  const own = isPublicForge(host) && host !== 'gitlab.com' ? path.slice(0, 2) : path
  return `https://${[host, ...own].join('/')}`
}

/** The addresses of the usual pages of a repository, each with the function that makes its short name. */
const patterns: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/\/commits?\/([\da-f]{7,64})$/i, (hash) => hash.slice(0, 7).toLowerCase()],
  [/\/(?:issues|merge_requests|pull|pull-requests|pulls)\/(\d{1,12})$/, (number) => `#${number}`],
  [/\/(?:releases\/tag|releases|src\/tag|tags|tree)\/(v?\d[\w.+-]{0,23})$/, (release) => release],
]

/** The short name of a page on any forge: seven digits of a commit, `#412`, or a release; null for other links. */
export function referenceOf(url: string): string | null {
  return referenceIn(readLink(url))
}

function referenceIn(link: LinkParts | null): string | null {
  if (link === null) return null
  for (const [pattern, named] of patterns) {
    const name = pattern.exec(link.pathname)?.[1]
    if (name !== undefined) return named(name)
  }
  return null
}

/** Reads the link of an announcement. */
export function parseUrl(value: unknown): Field<string | null> {
  const isShort = typeof value === 'string' && !isTooLong(value, 'link')
  return parseOptional(isShort ? linkFrom(value) : value, null, linkProblems)
}

export function isLink(text: string): boolean {
  return text !== '' && linkProblems(text).length === 0
}

/** The reasons to refuse the address of a page. */
export function linkProblems(url: string): readonly string[] {
  const link = readCanonical(url)
  if (link !== null) return hostReasons(targetIn(link))
  const characters = [...url].length
  if (characters > textBounds.link) {
    return [`must be at most ${textBounds.link} characters (these are ${characters})`]
  }
  // The parser would drop or replace these, so the link would not lead where it seems to.
  if (/[\s\p{Cc}]/u.test(url) || hasBidiControl(url)) return ["can't contain spaces or control characters"]
  if (!url.isWellFormed()) return storageProblems(url)
  if (/^(ssh:\/\/|[^/@]+@[^/:]+:)/i.test(url)) {
    return [
      'must start with http:// or https://: send the page of the repository, such as https://github.com/ada/engine',
    ]
  }
  if (!/^https?:\/\/(?![/\\])/i.test(url)) return ['must start with http:// or https://']
  if (urlOf(url) === null) return ['must be a valid URL with a host of at most 253 characters']
  if (/^[^/]+\/\/[^/\\?#]*@/.test(url)) return ["can't contain a username or password"]
  return hostReasons(targetOf(url))
}

/** Every accepted link has a target to count for. */
function hostReasons(target: Target | null): string[] {
  return target === null
    ? ['must have a host that can exist: names with single dots between them, at most 253 characters']
    : []
}
