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
