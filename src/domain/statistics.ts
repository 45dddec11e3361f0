import type { DeploymentDay } from './overview.ts'

/** The median of some numbers: of an even count, halfway between the two in the middle; of none, null. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

/**
 * The median gap between consecutive deployments in milliseconds, or null if there are fewer than two. Takes
 * their instants, the newest first.
 */
export function medianGap(instants: readonly Date[]): number | null {
  return median(instants.slice(1).map((older, index) => gapBetween(older, instants[index] ?? older)))
}

function gapBetween(older: Date, newer: Date): number {
  return Math.max(0, newer.getTime() - older.getTime())
}

/** The number of deployments from one day to another, both included. */
export function deploymentsBetween(days: readonly DeploymentDay[], first: number, last: number): number {
  return days
    .filter(({ day }) => first <= day && day <= last)
    .reduce((sum, { deployments }) => sum + deployments, 0)
}

/**
 * How many days in a row saw a deployment, up to today, or up to yesterday, since today is not over yet.
 * Takes the days in order and the number of today.
 */
export function streakOf(days: readonly DeploymentDay[], today: number): number {
  const deployed = new Set(days.map(({ day }) => day))
  const last = deployed.has(today) ? today : today - 1
  let length = 0
  while (deployed.has(last - length)) length += 1
  return length
}

/** From no deployments (0) to the busiest days (4). */
export type HeatLevel = 0 | 1 | 2 | 3 | 4

/**
 * Makes a function from a day's number of deployments to its heat. Takes the numbers of all days and ranks
 * those that occur, so that one release day does not make the rest of the year pale.
 */
export function heatLevels(counts: readonly number[]): (count: number) => HeatLevel {
  const ranked = [...new Set(counts)].filter((count) => count > 0).toSorted((a, b) => b - a)
  const ranks = new Map(ranked.map((count, rank) => [count, Math.floor((rank * 4) / ranked.length)]))
  return (count) => hottest[ranks.get(count) ?? 4] ?? 0
}

/** The levels of the four quarters of the ranks, the busiest first. */
const hottest: readonly HeatLevel[] = [4, 3, 2, 1]
