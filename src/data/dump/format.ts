import type { Queries } from '../../database/db.ts'
import { inOurMigrations, onlyAdd, seenMigrations } from '../../database/migrations.ts'

/**
 * A dump is gzipped lines of JSON: a header; for each table a section with its name and columns, its rows in
 * the order of its key, and an empty line; the last ids of the sequences; and the sums of all of that. So
 * zcat and jq can read it, and we notice if a file was cut or altered.
 */
export const dumpFormat = 'shipfeed dump'
export const dumpVersion = 1

export type DumpHeader = {
  readonly format: typeof dumpFormat
  readonly version: number
  /** The migrations of its database, as hashes, the oldest first. */
  readonly migrations: readonly string[]
  /** The instant of its content, by the clock of its database. */
  readonly at: string
}

export type DumpSection = { readonly table: string; readonly columns: readonly string[] }

/** The last id that each sequence gave. */
export type DumpSequences = { readonly sequences: Readonly<Record<string, number>> }

/** The last line: the number of rows of each table, and the SHA-256 of all lines before. */
export type DumpSums = { readonly rows: Readonly<Record<string, number>>; readonly sha256: string }

/**
 * Throws DumpRefused unless this database can hold a dump with this header: it has the same schema, or an
 * older one that has only been added to since.
 */
export async function refuseForeign(queries: Queries, header: Partial<DumpHeader>): Promise<void> {
  if (header.format !== dumpFormat) throw new DumpRefused('it is not a dump of Shipfeed')
  const listed = header.migrations ?? []
  const isList = Array.isArray(listed) && listed.every((hash) => typeof hash === 'string')
  if (!isList) throw new DumpRefused('it was altered: its header does not list migrations')
  const dumped = inOurMigrations(listed)
  if (dumped === null) {
    throw new DumpRefused(
      'it was made before Shipfeed 1.0.0: restore it with version 1.0.0, and then start this version on that database, which upgrades it',
    )
  }
  const seen = await seenMigrations(queries)
  const isNewer = header.version !== dumpVersion || dumped.some((hash, n) => hash !== seen[n])
  if (isNewer) throw new DumpRefused('it was made by a newer Shipfeed: install that one, and restore there')
  if (!onlyAdd(seen.slice(dumped.length))) {
    throw new DumpRefused(
      'it was made by an older Shipfeed, and the tables have changed since: restore it with that one, then start this one there, which upgrades it',
    )
  }
}

/** A dump that cannot be restored here. The message completes "the dump is refused: …". */
export class DumpRefused extends Error {}
