import type { Target } from './target.ts'

/** Where the first two segments of a path name a repository: everything else there is somebody else's. */
const forges: ReadonlySet<string> = new Set([
  'bitbucket.org',
  'codeberg.org',
  'git.sr.ht',
  'gitea.com',
  'gitee.com',
  'github.com',
  'gitlab.com',
])

/**
 * What a deployment with this target is a deployment of: the repository on a public forge, elsewhere the
 * whole host. Takes null for a deployment without link, and gives null for it.
 */
export function projectOf(target: Target | null): Target | null {
  if (target === null) return null
  const path = forges.has(target.host) ? target.path.split('/').slice(0, 3).join('/') : ''
  return { host: target.host, path }
}
