import type { DeploymentDay } from './overview.ts'

/** The middle one of some numbers, between the two middle ones of an even count; null of none. */
export function median(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const upper = sorted[Math.floor(sorted.length / 2)]
  const lower = sorted[Math.floor((sorted.length - 1) / 2)]
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2
}

/**
 * The median of the milliseconds between deployments that follow each other. Takes their instants, the newest
 * first; null where there are fewer than two.
 */
export function medianGap(instants: readonly Date[]): number | null {
  return median(instants.slice(1).map((older, index) => gapBetween(older, instants[index] ?? older)))
}

function gapBetween(older: Date, newer: Date): number {
  return Math.max(0, newer.getTime() - older.getTime())
}

/** The deployments from a day to another, both included. */
export function deploymentsBetween(days: readonly DeploymentDay[], first: number, last: number): number {
  return days
    .filter(({ day }) => first <= day && day <= last)
    .reduce((sum, { deployments }) => sum + deployments, 0)
}

/**
 * How many days in a row saw a deployment, up to today, or up to yesterday: today is not over yet. Takes the
 * days in their order and the number of today.
 */
export function streakOf(days: readonly DeploymentDay[], today: number): number {
  const deployed = new Set(days.map(({ day }) => day))
  const last = deployed.has(today) ? today : today - 1
  let length = 0
  while (deployed.has(last - length)) length += 1
  return length
}

/** From no deployments to as many as on the busiest days. */
export type HeatLevel = 0 | 1 | 2 | 3 | 4

/**
 * Makes the function that says how hot a day is among a user's days. Takes the deployments of each of these.
 * The numbers that occur are ranked, not measured: a release day does not make the rest of the year pale.
 */
export function heatLevels(counts: readonly number[]): (count: number) => HeatLevel {
  const ranked = [...new Set(counts)].filter((count) => count > 0).toSorted((a, b) => b - a)
  const ranks = new Map(ranked.map((count, rank) => [count, Math.floor((rank * 4) / ranked.length)]))
  return (count) => hottest[ranks.get(count) ?? 4] ?? 0
}

/** The levels of the four quarters of the ranks, the busiest first. */
const hottest: readonly HeatLevel[] = [4, 3, 2, 1]
