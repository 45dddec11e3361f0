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
