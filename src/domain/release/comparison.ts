import { repositoryOf } from '../target.ts'
import { isSameRelease, type Named } from './release.ts'
import type { Replaced } from './rollback.ts'

/** The page of a repository that shows what `head` has and `base` lacks. Bitbucket puts them in the other order. */
type ComparePage = (path: readonly string[], base: string, head: string) => string

const ofGitHub: ComparePage = ([owner, name], base, head) => `${owner}/${name}/compare/${base}...${head}`

const comparePages: ReadonlyMap<string, ComparePage> = new Map([
  ['bitbucket.org', ([owner, name], base, head) => `${owner}/${name}/branches/compare/${head}%0D${base}`],
  ['codeberg.org', ofGitHub],
  ['gitea.com', ofGitHub],
  ['github.com', ofGitHub],
  ['gitlab.com', (path, base, head) => `${path.join('/')}/-/compare/${base}...${head}`],
])

/**
 * The address on the forge of a link that shows what `head` has and `base` lacks: between their commits or, if one of
 * them has none, between their versions, read as tags. Null for other forges and hosts, without a link, if a version
 * cannot be a tag, and for the same release.
 */
export function compareAddress(url: string | null, base: Named, head: Named): string | null {
  const target = url === null ? null : repositoryOf(url)
  const page = target === null ? undefined : comparePages.get(target.host)
  if (target === null || page === undefined || target.path.length < 2) return null
  if (isSameRelease(base, head)) return null
  const hasCommits = base.commit !== undefined && head.commit !== undefined
  const [from, to] = hasCommits ? [base.commit, head.commit] : [tagOf(base), tagOf(head)]
  return from && to ? `https://${target.host}/${page(target.path, from, to)}` : null
}

type Replacing = Named & { readonly url: string | null; readonly replaced?: Replaced | null }

/** The same for a deployment and what it replaced; after a step back, it shows what was taken back. */
export function compareReplaced(deployment: Replacing): string | null {
  const { url, replaced } = deployment
  if (!replaced) return null
  const [base, head] = replaced.step === 'back' ? [deployment, replaced] : [replaced, deployment]
  return compareAddress(url, base, head)
}

/** What git refuses in the name of a tag (git check-ref-format). */
const notInTags = /[\s\p{Cc}~^:?*[\\]|\.\.|\/\/|@\{|^[-/.]|\/\.|[/.]$|\.lock(?:\/|$)|^@$/u

/** A version as the name of a tag, escaped; null if it cannot be one. */
function tagOf({ version }: Named): string | null {
  if (version === undefined || notInTags.test(version)) return null
  return encodeURIComponent(version).replaceAll('%2F', '/')
}
