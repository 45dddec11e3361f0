import type { Cost } from '../simulate/costs.ts'

type Point = { readonly calls: number; readonly us: number }

/**
 * The cost of a call and of a batch that fit the measurements best, neither below zero: least squares of the relative
 * errors, because batches of one, which cost most, would otherwise outweigh the large ones.
 */
export function costOf(points: readonly Point[]): Cost {
  const all = points.map(({ calls, us }) => ({ x: 1 / calls, us, weight: us ** -2 }))
  const weight = all.reduce((sum, point) => sum + point.weight, 0)
  const mean = (of: (point: { x: number; us: number }) => number) =>
    all.reduce((sum, point) => sum + point.weight * of(point), 0) / weight
  const [x, us] = [mean((point) => point.x), mean((point) => point.us)]
  const once = mean((point) => (point.x - x) * (point.us - us)) / mean((point) => (point.x - x) ** 2)
  return { each: Math.max(0, us - once * x), once: Math.max(0, once) }
}
