import type { Row } from '../table.ts'

/** The duration of a measurement, and the sizes of its data sets. */
export type Extent = {
  readonly seconds: number
  readonly rounds: number
  /** The number of users, with 110 deployments each. */
  readonly users: number
  /** The number of users in the larger data set, which growth is measured against. */
  readonly grownTo: number
  /** How many deployments are searched, on either database. */
  readonly searched: number
}

/** A part of the benchmark, which measures and returns rows of the table. */
export type Section = (extent: Extent) => Promise<readonly Row[]>
