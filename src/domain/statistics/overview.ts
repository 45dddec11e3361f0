import { freshnessChangesAt } from '../freshness.ts'
import { ageChangesAt, startOfDay, utcDayOf } from '../time.ts'

/** The number of deployments on a UTC day; days without any are left out. */
export type DeploymentDay = {
  /** Whole days since 1 January 1970. */
  readonly day: number
  readonly deployments: number
}

export type DeployedTarget = { readonly target: string; readonly deployedAt: Date }

/** The data above the list on a profile or the page of a project; `now` is the database's clock. */
export type Overview = {
  /** The last `daysInOverview` days, including today, in order. */
  readonly days: readonly DeploymentDay[]
  readonly firstDay: number | null
  /** The same without history (domain/history.ts). */
  readonly firstAnnouncedDay: number | null
  readonly recent: readonly Date[]
  readonly targets: readonly DeployedTarget[]
  readonly now: Date
}

/** 52 weeks and a day: always parts of 53 calendar weeks. */
export const daysInOverview = 365

/** The next instant at which an age, a freshness or the day changes on a page that lists these deployments. */
export function wordsChangeAt(overview: Overview, listed: readonly { deployedAt: Date }[]): Date {
  const { recent, targets, now } = overview
  const shown = [...recent.slice(0, 1), ...[...listed, ...targets].map(({ deployedAt }) => deployedAt)]
  const changes = shown.flatMap((instant) => [ageChangesAt(instant, now), freshnessChangesAt(instant, now)])
  const tomorrow = startOfDay(utcDayOf(now) + 1)
  return changes.reduce<Date>((next, change) => (change !== null && change < next ? change : next), tomorrow)
}

/** From no deployments (0) to the busiest days (4). */
type HeatLevel = 0 | 1 | 2 | 3 | 4

const hottest: readonly HeatLevel[] = [4, 3, 2, 1]

/**
 * Makes a function from the number of deployments on a day to its heat. Takes the numbers of all days and
 * ranks the distinct ones, so that one release day does not make the rest of the year pale.
 */
export function heatLevels(counts: readonly number[]): (count: number) => HeatLevel {
  const ranked = [...new Set(counts)].filter((count) => count > 0).toSorted((a, b) => b - a)
  const ranks = new Map(ranked.map((count, rank) => [count, Math.floor((rank * 4) / ranked.length)]))
  return (count) => hottest[ranks.get(count) ?? 4] ?? 0
}
