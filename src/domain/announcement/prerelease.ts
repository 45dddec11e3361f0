import { isTooLong } from '../text-bounds.ts'

/** Three numbers, then a prerelease, as in Semantic Versioning 2.0.0. The numbers of dates begin with 0, so they may. */
const withPrerelease = /^v?\d+\.\d+\.\d+-([\da-z-]+(?:\.[\da-z-]+)*)(?:\+[\da-z-]+(?:\.[\da-z-]+)*)?$/i

/** The end that `git describe` gives a commit after a tag: how many commits after it, and which one it is. */
const afterTag = /-\d+-g[\da-f]{4,64}$/i

/** A date with a counter, such as 2026.11.28-2: the second release of a day. */
const ofDate = /^v?\d{4}\./i

/** Whether a version comes before the release that it names, such as v26.0.0-beta.1. One of another form does not. */
export function isPrerelease(version: string): boolean {
  if (isTooLong(version, 'version')) return false
  const tagged = version.replace(afterTag, '')
  const [, prerelease] = withPrerelease.exec(tagged) ?? []
  if (prerelease === undefined) return false
  return !(ofDate.test(tagged) && /^\d+$/.test(prerelease))
}

/** The first that is no prerelease, also one without a version; else the first; undefined if there is none. */
export function firstRelease<One extends { readonly version: string | null }>(
  newestFirst: readonly One[],
): One | undefined {
  return newestFirst.find(({ version }) => version === null || !isPrerelease(version)) ?? newestFirst[0]
}
