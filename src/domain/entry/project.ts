import { scopeOf, targetOf } from '../target.ts'

/** What a deployment was of, as its link tells: a repository on a public forge, elsewhere a host. */
export type Project = {
  /** The scope of target.ts that its page and its badge have. */
  readonly scope: string
  /** Whose repository it is, with the groups between; null for a host. */
  readonly owner: string | null
  /** The repository's own name, or the host. Escaped as targets are. */
  readonly name: string
}

/** Where an address begins with whose repository it is and its name, and everybody knows the host. */
const publicForges: ReadonlySet<string> = new Set([
  ...['bitbucket.org', 'codeberg.org', 'git.sr.ht', 'gitea.com', 'gitee.com', 'github.com', 'gitlab.com'],
])

/** Whether a host is one where everybody knows that an owner and a name are a repository. */
export function isPublicForge(host: string): boolean {
  return publicForges.has(host)
}

/** The project of a posted link (docs/decisions.md#feed); null without a link or if it has no target. */
export function projectOf(url: string | null): Project | null {
  const target = url === null ? null : targetOf(url)
  if (target === null) return null
  const { host, path } = target
  const name = path.at(-1)
  if (!isPublicForge(host) || path.length < 2 || name === undefined) {
    return { scope: host, owner: null, name: host }
  }
  return { scope: scopeOf(target), owner: path.slice(0, -1).join('/'), name }
}
