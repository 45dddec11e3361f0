import { freshnessChangesAt } from '../domain/freshness.ts'
import { ageChangesAt, hour, minute } from '../domain/time.ts'

/** A deployment that nobody knew of is shown at most so much later by who keeps badges, in ms. */
const longest = hour
/** What tells no age waits for a first deployment, which somebody has just made and wants to see. */
const longestWithoutAge = minute

/**
 * For how many whole seconds a badge stays as it is, whatever it shows, unless somebody deploys or withdraws: its
 * name tells the state and the age. Takes the instant of the latest deployment, null if the badge tells of none.
 */
export function secondsUnchanged(latest: Date | null, now: Date): number {
  if (latest === null) return longestWithoutAge / 1000
  const changes = [ageChangesAt(latest, now), freshnessChangesAt(latest, now) ?? Number.POSITIVE_INFINITY]
  const untilChange = Math.min(...changes.map(Number)) - now.getTime()
  return Math.floor(Math.min(untilChange, longest) / 1000)
}
