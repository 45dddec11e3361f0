import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import type { Queries } from './db.ts'
import { migrationLock } from './locks.ts'
import { rowsOf } from './sql.ts'

/** Where the folders of the repository are: the one binary has those that are needed beside its code. */
const root = Bun.isStandaloneExecutable ? import.meta.dir : join(import.meta.dir, '../..')
/** The generated migrations; both drivers run the same. */
export const migrationsFolder = join(root, 'drizzle')
const journal = sql.raw('drizzle.__drizzle_migrations')

/** Whether there is nothing to migrate, which takes no right but to read. */
export async function isMigrated(queries: Queries): Promise<boolean> {
  return (await pending(queries)).length === 0
}

/**
 * Runs the migrations that the database has not seen, all of them or none, and one process at a time. Rejects
 * with what the database says.
 */
export async function migrate(queries: Queries): Promise<void> {
  await queries.transaction(async (transaction) => {
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

async function pending(queries: Queries): Promise<MigrationMeta[]> {
  const migrations = readMigrationFiles({ migrationsFolder })
  const [found] = await rowsOf<{ exists: boolean }>(
    queries,
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as exists`,
  )
  if (found?.exists !== true) return migrations
  const [last] = await rowsOf<{ at: string }>(queries, sql`select max(created_at) as at from ${journal}`)
  return migrations.filter(({ folderMillis }) => folderMillis > Number(last?.at ?? 0))
}
