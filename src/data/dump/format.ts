/**
 * A dump is lines of JSON, gzipped: a header; for each table its name and columns, then its rows in the order
 * of its key, then an empty line; the last ids that were drawn; and what all of that should be. So it can be
 * read with zcat and jq, and a file that was cut or altered is noticed.
 */
export const dumpFormat = 'shipfeed dump'
export const dumpVersion = 1

export type Header = {
  readonly format: typeof dumpFormat
  readonly version: number
  /** The migrations that its database had seen, as hashes, the oldest first. */
  readonly migrations: readonly string[]
  /** The instant that it shows, by the clock of its database. */
  readonly at: string
}

export type Section = { readonly table: string; readonly columns: readonly string[] }

/** The last id that each sequence gave. */
export type Sequences = { readonly sequences: Readonly<Record<string, number>> }

/** The end: the number of rows of each table, and the SHA-256 of every line before. */
export type Sums = { readonly rows: Readonly<Record<string, number>>; readonly sha256: string }
