/**
 * A dump is gzipped lines of JSON: a header; for each table a section, its rows in the order of its key, and
 * an empty line; the last ids of the sequences; and the sums of all of that, which show if a file was cut or
 * altered.
 */
export const dumpFormat = 'shipfeed dump'
export const dumpVersion = 1

export type DumpHeader = {
  readonly format: typeof dumpFormat
  readonly version: number
  /** Hashes, the oldest first. */
  readonly migrations: readonly string[]
  /** By the clock of its database. */
  readonly at: string
}

export type DumpSection = { readonly table: string; readonly columns: readonly string[] }

/** The last id that each sequence gave. */
export type DumpSequences = { readonly sequences: Readonly<Record<string, number>> }

/** The last line: the number of rows of each table, and the SHA-256 of all lines before. */
export type DumpSums = { readonly rows: Readonly<Record<string, number>>; readonly sha256: string }
