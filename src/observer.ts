import type { Answered } from './http/request-log.ts'

/** How a metric is described to people. */
export type Described = {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels?: readonly string[]
  /** The values of its one label that are counted from the start, at 0. */
  readonly known?: readonly string[]
  readonly help: string
}

/** Null: there is nothing to say now. */
export type ReadGauge = () => number | null | Promise<number | null>

/** Told of what happens in the service, so that it can be measured. */
export type Observer = {
  readonly answered: (answered: Answered) => void
  readonly badge: (status: string) => void
  readonly announced: (outcome: string) => void
  readonly error: (event: string) => void
  readonly statement: (name: string, calls: number, seconds: number) => void
  /** Counts for a described metric with one label. */
  readonly count: (metric: string, value: string) => void
  readonly gauge: (metric: string, read: ReadGauge) => void
}
