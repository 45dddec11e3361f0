import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openLocalDatabase } from '../../test/support/database.ts'
import { type DataSet, peopleDataSet } from './seeding.ts'

const folder = join(tmpdir(), 'shipfeed-bench')

/** Fewer than on Postgres, because the embedded database is for one machine and slow to fill. */
export const embeddedUsers = 1_000

/** A DATA_DIR of the embedded database: a copy of a data set that this or an earlier run made. */
export async function embeddedDataSet(): Promise<string> {
  const kept = await keptDirectory(peopleDataSet(embeddedUsers))
  const copy = join(folder, 'embedded-copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(kept, copy, { recursive: true })
  return copy
}

/** A DATA_DIR with a data set that this or an earlier run made. Writing to it changes it for the next run. */
export async function keptDirectory({ name, statements, finish }: DataSet): Promise<string> {
  const kept = join(folder, name)
  if (existsSync(kept)) return kept
  console.error(`Seeding ${kept} …`)
  const unfinished = `${kept}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  await (await openLocalDatabase(unfinished)).close()
  const client = await PGlite.create(join(unfinished, 'postgres'))
  for (const statement of statements) await client.exec(statement)
  await client.close()
  if (finish !== undefined) {
    const db = await openLocalDatabase(unfinished)
    await finish(db)
    await db.close()
  }
  renameSync(unfinished, kept)
  return kept
}
