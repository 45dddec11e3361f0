import { isSameRelease, type Named } from './release.ts'

/**
 * What a deployment replaced in its project and environment: the one before it. `back`: its own release had come there
 * before the one that it replaced. `same`: both are the same release.
 */
export type Replaced = Named & { readonly id: number; readonly step: 'onward' | 'same' | 'back' }

/** So many deployments before another one in its environment decide whether it goes back (docs/decisions.md#read). */
export const earlierReleases = 5

/** What a release replaced, given those before it in its environment, the newest first; null if there are none. */
export function replacedBy(
  release: Named,
  earlier: readonly (Named & { readonly id: number })[],
): Replaced | null {
  const [previous] = earlier
  if (previous === undefined) return null
  if (isSameRelease(release, previous)) return { ...previous, step: 'same' }
  // A release that was taken back may come again, and then goes onward: what came first counts.
  const cameAt = (wanted: Named) => earlier.findLastIndex((one) => isSameRelease(one, wanted))
  return { ...previous, step: cameAt(release) > cameAt(previous) ? 'back' : 'onward' }
}
