import { median } from './median.ts'

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
