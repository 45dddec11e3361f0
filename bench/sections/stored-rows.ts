import { sql } from 'drizzle-orm'
import { recorder } from '../../src/data/recording.ts'
import { rowsOf } from '../../src/database/db.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { allPosters } from '../data-sets/people.ts'
import { copyOfDataSet } from '../data-sets/server.ts'
import type { Row } from '../table.ts'

const users = 91
const deployments = 1_000

/** The rows that a project's deployments add to other tables, if each has its own link. */
export async function storedRows(): Promise<readonly Row[]> {
  const db = await openPostgres(await copyOfDataSet(users))
  await db.migrated
  const [poster] = allPosters(1)
  const count = async () => {
    const tables = ['latest_deployments', 'targets', 'target_scopes', 'daily_deployments']
    const [row] = await db.write((queries) =>
      rowsOf<Record<string, number>>(
        queries,
        sql.raw(`select ${tables.map((table) => `(select count(*)::int from ${table}) as ${table}`).join()}`),
      ),
    )
    return row ?? {}
  }
  const before = await count()
  const record = recorder(db, 0)
  await Promise.all(
    Array.from({ length: deployments }, (_, n) =>
      record({
        tokenHash: poster?.hash ?? '',
        announcement: { message: 'A', url: `https://git.example.org/ada/engine/pull/${n}`, category: null },
        idempotencyKey: null,
      }),
    ),
  )
  const after = await count()
  await db.close()
  const added = Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const)
  const measure = added.reduce((sum, [, rows]) => sum + rows, 0)
  return [
    {
      what: 'rows that 1,000 deployments of one project leave besides themselves, each with a link of its own',
      ours: added.map(([table, rows]) => `${rows} in ${table}`).join(', '),
      measure,
      aim: { atMost: 10 },
    },
  ]
}
