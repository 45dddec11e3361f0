import type { Queries } from '../../database/db.ts'
import { onlyAdd, seenMigrations } from '../../database/migrations.ts'
import { dumpFormat, dumpVersion, type Header } from './format.ts'
import { DumpRefused } from './refused.ts'

/**
 * Throws DumpRefused unless this database can hold what a dump with this header holds: it is of the same
 * schema, or of an older one to which only was added since.
 */
export async function refuseForeign(queries: Queries, header: Partial<Header>): Promise<void> {
  if (header.format !== dumpFormat) throw new DumpRefused('it is no dump of Shipfeed')
  const dumped = header.migrations ?? []
  const seen = await seenMigrations(queries)
  const isNewer = header.version !== dumpVersion || dumped.some((hash, n) => hash !== seen[n])
  if (isNewer) throw new DumpRefused('it is of a newer Shipfeed: install that one, and restore there')
  if (!onlyAdd(seen.slice(dumped.length))) {
    throw new DumpRefused(
      'it is of an older Shipfeed, and its tables have changed since: restore it with that one, then start this one there, which upgrades it',
    )
  }
}
