import { appendFileSync, cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { folderIn } from '../../src/database/local/directory.ts'
import { openServer } from '../../src/database/local/server.ts'
import { routeTo } from '../../src/database/postgres/pooler.ts'
import { lengthySettings } from '../../src/database/session-settings.ts'
import { openLocalDatabase } from '../../test/support/database.ts'
import { type DataSet, peopleDataSet } from './seeding.ts'

const folder = join(tmpdir(), 'shipfeed-bench')

/** A DATA_DIR with this many users, for benchmarks that write: a copy, so that the data set itself stays unchanged. */
export async function copyOfDirectory(users: number): Promise<string> {
  const kept = await keptDirectory(peopleDataSet(users))
  const copy = emptied('local-copy')
  cpSync(kept, copy, { recursive: true })
  return copy
}

/** A DATA_DIR that is not there yet. */
export function newDirectory(name = 'local-new'): string {
  return emptied(name)
}

function emptied(name: string): string {
  const path = join(folder, name)
  rmSync(path, { recursive: true, force: true })
  return path
}

/** A DATA_DIR with a data set that this or an earlier run made. Writing to it changes it for the next run. */
export async function keptDirectory({ name, statements, finish }: DataSet): Promise<string> {
  const kept = join(folder, name)
  if (existsSync(kept)) return kept
  console.error(`Seeding ${kept} …`)
  const unfinished = emptied(`${name}.unfinished`)
  await (await openLocalDatabase(unfinished)).close()
  await runAsSuperuser(unfinished, statements)
  if (finish !== undefined) {
    const db = await openLocalDatabase(unfinished)
    await finish(db)
    await db.close()
  }
  renameSync(unfinished, kept)
  return kept
}

/** The service itself never is the superuser, who alone may turn triggers off. */
async function runAsSuperuser(dataDir: string, statements: readonly string[]): Promise<void> {
  appendFileSync(join(folderIn(dataDir), 'pg_hba.conf'), 'local all postgres trust\n')
  const server = await openServer(dataDir, () => {})
  await server.started
  const route = routeTo(server.url.replace(/\/\/.*@/, '//postgres@'))
  await route.find()
  using connection = await route.connect(lengthySettings)
  for (const statement of statements) await connection.queries.execute(sql.raw(statement))
  connection.end()
  await server.stop()
}
