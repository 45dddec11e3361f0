import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openEmbedded } from '../../../src/database/embedded/open.ts'
import { dataSetName, seeding } from './seeding.ts'

const folder = join(tmpdir(), 'shipfeed-bench')

/** Less than on Postgres: it is for one machine, and slow to fill. */
export const embeddedUsers = 1_000

/** A DATA_DIR of the embedded database: a copy of what was made now or by an earlier run. */
export async function embeddedDataSet(): Promise<string> {
  const kept = join(folder, dataSetName(embeddedUsers))
  if (!existsSync(kept)) await seed(kept)
  const copy = join(folder, 'embedded-copy')
  rmSync(copy, { recursive: true, force: true })
  cpSync(kept, copy, { recursive: true })
  return copy
}

async function seed(kept: string): Promise<void> {
  console.error(`Seeding ${kept} …`)
  const unfinished = `${kept}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const db = await openEmbedded(unfinished)
  await db.close()
  const client = await PGlite.create(join(unfinished, 'postgres'))
  for (const statement of seeding(embeddedUsers)) await client.exec(statement)
  await client.close()
  renameSync(unfinished, kept)
}
