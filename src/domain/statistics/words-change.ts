import { freshnessChangesAt } from '../freshness.ts'
import { ageChangesAt, startOfDay, utcDayOf } from '../time.ts'
import type { Overview } from './overview.ts'

/** The next instant at which an age, a freshness or the day changes on a page that lists these deployments. */
export function wordsChangeAt(overview: Overview, listed: readonly { deployedAt: Date }[]): Date {
  const { recent, targets, now } = overview
  const shown = [...recent.slice(0, 1), ...[...listed, ...targets].map(({ deployedAt }) => deployedAt)]
  const changes = shown.flatMap((instant) => [ageChangesAt(instant, now), freshnessChangesAt(instant, now)])
  const tomorrow = startOfDay(utcDayOf(now) + 1)
  return changes.reduce<Date>((next, change) => (change !== null && change < next ? change : next), tomorrow)
}
