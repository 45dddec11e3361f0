import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { openEmbedded } from '../../../src/database/embedded/open.ts'
import { isSeededQuery, seeding } from './seeding.ts'

/** A DATA_DIR of the embedded database with so many deployments, made now or by an earlier run. */
export async function embeddedDataSet(deployments: number): Promise<string> {
  const directory = join(tmpdir(), `shipfeed-bench-embedded-${deployments}`)
  const db = await openEmbedded(directory)
  await db.close()
  const client = await PGlite.create(join(directory, 'postgres'))
  try {
    const { rows } = await client.query<{ is_seeded: boolean }>(isSeededQuery(deployments))
    if (rows[0]?.is_seeded !== true) {
      console.error(`Seeding ${directory} …`)
      for (const statement of seeding(deployments)) await client.exec(statement)
      await client.exec('vacuum analyze')
    }
  } finally {
    await client.close()
  }
  return directory
}
