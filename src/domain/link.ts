import { type Field, hasBidiControl, parseOptional, storageProblems, urlOf } from './field-parsing.ts'
import { linkFrom } from './git-address.ts'
import {
  type LinkParts,
  readCanonical,
  readLink,
  scopeOf,
  type Target,
  targetIn,
  targetOf,
} from './target.ts'
import { isTooLong, textBounds } from './text-bounds.ts'

/** The project that a link points to: a repository on a public forge, or else a host. */
export type Project = {
  /** The scope (target.ts) of its page and its badge. */
  readonly scope: string
  /** The owner of the repository, including groups; null for a host. */
  readonly owner: string | null
  /** The repository's own name, or the host. Escaped like a target. */
  readonly name: string
}

/** Well-known hosts whose paths start with the owner and the name of a repository. */
const publicForges: ReadonlySet<string> = new Set([
  ...['bitbucket.org', 'codeberg.org', 'git.sr.ht', 'gitea.com', 'gitee.com', 'github.com', 'gitlab.com'],
])

/** Whether a host is a well-known forge, where an owner and a name are a repository. */
export function isPublicForge(host: string): boolean {
  return publicForges.has(host)
}

export type LinkFacts = ReturnType<typeof linkFactsOf>

/** All that an entry shows of a posted link, which is read only once. */
export function linkFactsOf(url: string) {
  const canonical = readCanonical(url)
  const parts = canonical ?? urlOf(url)
  return {
    project: projectIn(canonical === null ? targetOf(url) : targetIn(canonical)),
    reference: referenceIn(parts),
    host: parts?.host ?? null,
  }
}

/** The project of a posted link (docs/decisions.md#feed); null without a link or if it has no target. */
export function projectOf(url: string | null): Project | null {
  return projectIn(url === null ? null : targetOf(url))
}

function projectIn(target: Target | null): Project | null {
  if (target === null) return null
  const { host, path } = target
  const name = path.at(-1)
  if (!isPublicForge(host) || path.length < 2 || name === undefined) {
    return { scope: host, owner: null, name: host }
  }
  return { scope: scopeOf(target), owner: path.slice(0, -1).join('/'), name }
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
  return parseOptional(isShort ? linkFrom(value) : value, null, urlReasons)
}

/** Whether a text can be announced as the link. */
export function isLink(text: string): boolean {
  return text !== '' && urlReasons(text).length === 0
}

function urlReasons(url: string): string[] {
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
