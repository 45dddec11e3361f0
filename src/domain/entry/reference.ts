/** What people call what an address leads to, by the part of a repository that stands before it. */
const patterns: readonly (readonly [RegExp, (name: string) => string])[] = [
  [/\/commits?\/([\da-f]{7,64})$/i, (hash) => hash.slice(0, 7).toLowerCase()],
  [/\/(?:issues|merge_requests|pull|pull-requests|pulls)\/(\d{1,12})$/, (number) => `#${number}`],
  [/\/(?:releases\/tag|releases|src\/tag|tags|tree)\/(v?\d[\w.+-]{0,23})$/, (release) => release],
]

/**
 * The name of what a posted link leads to, on any forge: seven digits of a commit, `#412`, or the name of a
 * release (docs/decisions.md#feed); null for every other link.
 */
export function referenceOf(url: string): string | null {
  const path = URL.parse(url)?.pathname
  if (path === undefined) return null
  for (const [pattern, named] of patterns) {
    const [, name] = pattern.exec(path) ?? []
    if (name !== undefined) return named(name)
  }
  return null
}
