/**
 * The page of a repository whose address git accepts: `git@host:path`, `ssh://git@host:22/path`,
 * `git+https://host/path.git@v1#folder`. Other text stays as it is.
 */
export function pageOfRepository(address: string): string {
  const [, , host, path] =
    /^(?:git\+)?(ssh|git):\/\/(?:[^/@]*@)?([^/@:]+)(?::\d+)?\/([^#]*)/i.exec(address) ??
    /^(?:git\+)?()[^/@:]+@((?:[^/@:.]+\.)+[^/@:.]+):([^#]*)/i.exec(address) ??
    []
  const page = host === undefined ? address.replace(/^git\+(?=https?:)/i, '') : `https://${host}/${path}`
  return withoutSuffix(page.replace(/^(https?:\/\/)[^/@]*@/i, '$1'))
}

/** What is announced as the link: the page of the repository for an address that only git reads, or the text itself. */
export function linkFrom(text: string): string {
  return /^https?:/i.test(text) ? text : pageOfRepository(text)
}

/** Without `.git` at the end of its path, and what follows it. */
function withoutSuffix(page: string): string {
  const [path = ''] = page.split('#', 1)
  const name = path.lastIndexOf('/') + 1
  const suffix = path.slice(name).search(/\.git(?:@|$)/i)
  return suffix === -1 ? page : path.slice(0, name + suffix)
}
