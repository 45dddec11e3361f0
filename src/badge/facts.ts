import { freshnessOf } from '../domain/freshness.ts'
import { ageInWords, shortAge } from '../domain/time.ts'
import type { BadgeStatus } from './status.ts'

/** The age of a deployment: "3 hours ago" in the accessible name, "3 h ago" in the picture. */
export type BadgeAge = { readonly words: string; readonly short: string }

/**
 * The data of a badge; `age` is null if there is no deployment. Only a badge of a version has a version. One of
 * environments has their ages in place of its own.
 */
export type BadgeFacts = {
  readonly status: BadgeStatus
  readonly age: BadgeAge | null
  readonly version?: string | null
  readonly environments?: EnvironmentsFacts
}

/** The environments that a badge names, and how many more there are. */
export type EnvironmentsFacts = { readonly named: readonly EnvironmentFacts[]; readonly more: number }

/** What is live in an environment; `release` is a version that fits or a commit, null without either. */
export type EnvironmentFacts = {
  readonly environment: string
  readonly release: string | null
  readonly status: BadgeStatus
  readonly age: BadgeAge
  readonly deployedAt: Date
}

/** What a badge shows of a user whose latest deployment this is; null if there is none. */
export function badgeFactsOf(latest: Date | null, now: Date): BadgeFacts {
  return latest === null
    ? { status: 'Inactive', age: null }
    : { status: freshnessOf(latest, now), age: ageOf(latest, now) }
}

export function ageOf(deployedAt: Date, now: Date): BadgeAge {
  return { words: ageInWords(deployedAt, now), short: shortAge(deployedAt, now) }
}

/** The versions that a badge shows; their characters have a known width, too. */
export const shownVersion = /^[A-Za-z0-9._+-]{1,32}$/

/** A version that fits a badge; null for any other. */
export function shownOf(version: string | null | undefined): string | null {
  return version && shownVersion.test(version) ? version : null
}
