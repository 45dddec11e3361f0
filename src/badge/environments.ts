import type { LiveRelease } from '../domain/environment/board.ts'
import type { OwnOrder } from '../domain/environment/stages.ts'
import { nearestToProduction } from '../domain/environment/stages.ts'
import { freshnessOf } from '../domain/freshness.ts'
import { shortCommit } from '../domain/release/release.ts'
import { ageOf, type BadgeFacts, type EnvironmentFacts, type EnvironmentsFacts, shownOf } from './facts.ts'
import { statusColours, statusWords } from './status.ts'
import type { Face } from './styles.ts'

/** How many environments a badge names. It counts the rest. */
export const maxEnvironments = 4
const longestEnvironment = 20
const maxCounted = 99

/** What a badge shows of a project in whose environments these are live, the newest first; Inactive if there are none. */
export function environmentFactsOf(live: readonly LiveRelease[], now: Date, order: OwnOrder): BadgeFacts {
  const [newest] = live
  if (newest === undefined) return { status: 'Inactive', age: null }
  const chosen = nearestToProduction(live, ({ environment }) => environment, maxEnvironments, order)
  const named = chosen.map(({ environment, version, commit, deployedAt }) => ({
    environment,
    release: shownOf(version) ?? shortCommit(commit),
    status: freshnessOf(deployedAt, now),
    age: ageOf(deployedAt, now),
    deployedAt,
  }))
  const environments = { named, more: live.length - named.length }
  return { status: freshnessOf(newest.deployedAt, now), age: null, environments }
}

/** The words and the colour of each environment that a badge names. */
export function facesOf({ named }: EnvironmentsFacts): readonly Face[] {
  return named.map(({ environment, release, status, age }) => ({
    label:
      environment.length > longestEnvironment
        ? `${environment.slice(0, longestEnvironment - 1)}…`
        : environment,
    word: release ?? age.short,
    colour: statusColours[status],
  }))
}

/** How many more environments there are, such as "+2"; null if there is none. */
export function restOf({ more }: EnvironmentsFacts): string | null {
  if (more === 0) return null
  return more > maxCounted ? `${maxCounted}+` : `+${more}`
}

/** What the picture says, in one line: "staging v3.2 · production v3.0". */
export function inOneLine(environments: EnvironmentsFacts): string {
  const words = facesOf(environments).map(({ label, word }) => `${label} ${word}`)
  return [...words, restOf(environments) ?? []].flat().join(' · ')
}

/** The same with states and ages: "staging v3.2, Fresh, 2 hours ago; production v3.0, Quiet, 12 days ago; 2 more". */
export function inWords({ named, more }: EnvironmentsFacts): string {
  return [...named.map(wordsOf), ...(more === 0 ? [] : [`${more} more`])].join('; ')
}

function wordsOf({ environment, release, status, age }: EnvironmentFacts): string {
  const shown = release === null ? environment : `${environment} ${release}`
  return `${shown}, ${statusWords[status]}, ${age.words}`
}
