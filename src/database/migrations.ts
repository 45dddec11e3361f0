import { sql } from 'drizzle-orm'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import { hasTable, oneRowOf, type Queries, rowsOf } from './db.ts'
import { DatabaseUnusable } from './errors.ts'
import { areInPlace, databaseFunctions, migrationsFolder, putInPlace } from './functions.ts'
import { migrationLock } from './locks.ts'

const journal = sql.raw('drizzle.__drizzle_migrations')

/** Hashes of the first and the last migration of version 1.0.0, whose tables the baseline makes. */
const former = {
  first: 'd364c482807e0e816049a8654b94e9518f6af772446d8cb3417b51f9a5418afa',
  last: 'e0b689c24fdfcc70e20dcd459fa7ef8d150870f65caac42507f7bd59137a0f42',
} as const

/** This and `schemaState` need only read access. */
export async function isMigrated(queries: Queries): Promise<boolean> {
  return (await pending(queries)).length === 0 && (await areInPlace(queries, databaseFunctions()))
}

/** How a schema compares with this program's. `ancient`: it cannot be migrated (see `inOurMigrations`). */
type SchemaState = 'none' | 'ancient' | 'older' | 'same' | 'newer'

export async function schemaState(queries: Queries): Promise<SchemaState> {
  const ours = Math.max(...readMigrations().map(({ folderMillis }) => folderMillis))
  const last = await lastSeen(queries)
  if (last === 0) return 'none'
  if (inOurMigrations(await seenMigrations(queries)) === null) return 'ancient'
  if (last > ours) return 'newer'
  return (await isMigrated(queries)) ? 'same' : 'older'
}

/** All or nothing, in one process at a time. Rejects with DatabaseUnusable if the schema is `ancient`. */
export async function migrate(queries: Queries): Promise<void> {
  await queries.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${migrationLock})`)
    await transaction.execute(sql`create schema if not exists drizzle`)
    await transaction.execute(sql`
      create table if not exists ${journal} (id serial primary key, hash text not null, created_at bigint)`)
    await replaceFormer(transaction)
    // Read under the lock, because another process may have migrated before us.
    for (const migration of await pending(transaction)) {
      for (const statement of migration.sql) {
        await transaction.execute(sql.raw(statement))
      }
      await note(transaction, migration)
    }
    await putInPlace(transaction, databaseFunctions())
  })
}

/** In the journal, replaces the migrations of version 1.0.0 with the baseline, which makes the same tables. */
async function replaceFormer(transaction: Queries): Promise<void> {
  const seen = await seenMigrations(transaction)
  const hashes = inOurMigrations(seen)
  if (hashes === null) {
    throw new DatabaseUnusable(
      'this version cannot migrate the database: if the database is from before Shipfeed 1.0.0, start version 1.0.0 on it once, and then this version; if the database is from an unreleased revision, restore a backup that a released version made',
    )
  }
  if (hashes === seen) return
  await transaction.execute(sql`delete from ${journal}`)
  for (const migration of readMigrations().slice(0, hashes.length)) await note(transaction, migration)
}

async function note(transaction: Queries, { hash, folderMillis }: MigrationMeta): Promise<void> {
  await transaction.execute(sql`insert into ${journal} (hash, created_at) values (${hash}, ${folderMillis})`)
}

/** Translates hashes, oldest first, into today's. Null if they are from before version 1.0.0, or of no release. */
export function inOurMigrations(seen: readonly string[]): readonly string[] | null {
  if (seen[0] !== former.first) return seen
  return seen.at(-1) === former.last
    ? readMigrations()
        .slice(0, 1)
        .map(({ hash }) => hash)
    : null
}

/** Hashes, oldest first. */
export async function seenMigrations(queries: Queries): Promise<string[]> {
  const rows = await rowsOf<{ hash: string }>(queries, sql`select hash from ${journal} order by created_at`)
  return rows.map(({ hash }) => hash)
}

const addition =
  /^(?:--.*\n|\s)*(create (unique )?(table|index)|drop index|alter table \S+ add (column|constraint)|lock table|insert into "target_days"|do \$\$ begin\s+if to_regclass\('public.uncounted_days'\))\s/

/**
 * Whether a dump from before these migrations fits a database that has them: they only add to the schema, drop indexes,
 * or fill in counts. Triggers fill in the same counts while a dump is restored.
 */
export function onlyAdd(hashes: readonly string[]): boolean {
  const migrations = readMigrations()
  return hashes.every((wanted) => {
    const statements = migrations.find(({ hash }) => hash === wanted)?.sql ?? []
    return statements.length > 0 && statements.every((statement) => addition.test(statement))
  })
}

async function pending(queries: Queries): Promise<MigrationMeta[]> {
  const last = await lastSeen(queries)
  return readMigrations().filter(({ folderMillis }) => folderMillis > last)
}

function readMigrations(): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder })
}

/** The creation time of the newest migration that a database has seen, or 0. */
async function lastSeen(queries: Queries): Promise<number> {
  if (!(await hasTable(queries, 'drizzle.__drizzle_migrations'))) return 0
  const newest = sql`select coalesce(max(created_at), 0) as at from ${journal}`
  return Number((await oneRowOf<{ at: string | number }>(queries, newest)).at)
}
