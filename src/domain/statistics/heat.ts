/**
 * Makes a function from the number of deployments on a day to its heat, from 0 for none to 4 for the busiest days. Takes
 * the numbers of all days and ranks the distinct ones, so that one release day does not make the rest of the year pale.
 */
export function heatLevels(counts: readonly number[]): (count: number) => number {
  const ranked = [...new Set(counts)].filter((count) => count > 0).toSorted((a, b) => b - a)
  const ranks = new Map(ranked.map((count, rank) => [count, Math.floor((rank * 4) / ranked.length)]))
  return (count) => 4 - (ranks.get(count) ?? 4)
}
