import type { Cost } from '../simulate/costs.ts'

/** The cost of each and of a batch that are nearest to what was measured (least squares), neither below zero. */
export function costOf(points: readonly { readonly calls: number; readonly us: number }[]): Cost {
  const mean = (of: (point: { x: number; us: number }) => number) =>
    all.reduce((sum, point) => sum + of(point), 0) / all.length
  const all = points.map(({ calls, us }) => ({ x: 1 / calls, us }))
  const [x, us] = [mean((point) => point.x), mean((point) => point.us)]
  const once = mean((point) => (point.x - x) * (point.us - us)) / mean((point) => (point.x - x) ** 2)
  return { each: Math.max(0, us - once * x), once: Math.max(0, once) }
}
