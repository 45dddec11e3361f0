import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { Queries } from './db.ts'
import { migrationLock } from './locks.ts'
import { oneRowOf, rowsOf } from './sql.ts'

/** Where the folders of the repository are: `npm run build` puts those that are read beside the binary's code. */
const root = Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, '../..')
/** The generated migrations; both drivers run the same. */
export const migrationsFolder = join(root, 'drizzle')
const journal = sql.raw('drizzle.__drizzle_migrations')

/** Whether there is nothing to migrate, which takes no right but to read. */
export async function isMigrated(queries: Queries): Promise<boolean> {
  return (await pending(queries)).length === 0
}

/** How a schema is to the one of this program: there is none yet, or one with other migrations, or it is the same. */
export type SchemaState = 'none' | 'older' | 'same' | 'newer'

/** Compares a database with the migrations; takes no right but to read. */
export async function schemaState(queries: Queries): Promise<SchemaState> {
  const ours = Math.max(...readMigrationFiles({ migrationsFolder }).map(({ folderMillis }) => folderMillis))
  const last = await lastSeen(queries)
  if (last === 0) return 'none'
  if (last === ours) return 'same'
  return last < ours ? 'older' : 'newer'
}

/**
 * Runs the migrations that the database has not seen, all of them or none, and one process at a time. `onBegun`
 * takes the process of the server that does it. Rejects with what the database says.
 */
export async function migrate(queries: Queries, onBegun: (pid: number) => void = () => {}): Promise<void> {
  await queries.transaction(async (transaction) => {
    onBegun((await oneRowOf<{ pid: number }>(transaction, sql`select pg_backend_pid() as pid`)).pid)
    await transaction.execute(sql`select pg_advisory_xact_lock(${migrationLock})`)
    await transaction.execute(sql`create schema if not exists drizzle`)
    await transaction.execute(sql`
      create table if not exists ${journal} (id serial primary key, hash text not null, created_at bigint)`)
    // Under the lock: another process may have been first.
    for (const { sql: statements, hash, folderMillis } of await pending(transaction)) {
      for (const statement of statements) await transaction.execute(sql.raw(statement))
      await transaction.execute(sql`
        insert into ${journal} (hash, created_at) values (${hash}, ${folderMillis})`)
    }
  })
}

/** The migrations that a database has seen, as hashes, the oldest first. */
export async function seenMigrations(queries: Queries): Promise<string[]> {
  const rows = await rowsOf<{ hash: string }>(queries, sql`select hash from ${journal} order by created_at`)
  return rows.map(({ hash }) => hash)
}

const addition =
  /^(?:--.*\n|\s)*(create (unique |or replace )?(table|index|function|trigger)|drop index|alter table \S+ add (column|constraint)|insert into "uncounted_days")\s/i

/**
 * Whether these migrations, given as hashes, only make room for more. Then what was stored before them can be
 * stored after them, too. Others may have moved or changed what was stored.
 */
export function onlyAdd(hashes: readonly string[]): boolean {
  const migrations = readMigrationFiles({ migrationsFolder })
  return hashes.every((wanted) => {
    const statements = migrations.find(({ hash }) => hash === wanted)?.sql ?? []
    return statements.length > 0 && statements.every((statement) => addition.test(statement))
  })
}

async function pending(queries: Queries): Promise<MigrationMeta[]> {
  const last = await lastSeen(queries)
  return readMigrationFiles({ migrationsFolder }).filter(({ folderMillis }) => folderMillis > last)
}

/** When the last migration was made that a database has seen; 0 if it has seen none. */
async function lastSeen(queries: Queries): Promise<number> {
  const [found] = await rowsOf<{ exists: boolean }>(
    queries,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (found?.exists !== true) return 0
  const [last] = await rowsOf<{ at: string }>(queries, sql`select max(created_at) as at from ${journal}`)
  return Number(last?.at ?? 0)
}
