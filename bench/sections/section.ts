import type { Row } from '../table.ts'

/** How long is measured, and on how much. */
export type Extent = {
  readonly seconds: number
  readonly rounds: number
  /** With 110 deployments each. */
  readonly users: number
  /** Of the larger data set that growth is measured against. */
  readonly grownTo: number
  /** How many deployments are searched, on either database. */
  readonly searched: number
}

/** A part of the benchmark: measures, and gives rows of the table. */
export type Section = (extent: Extent) => Promise<readonly Row[]>
