import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Queries } from '../../../src/database/db.ts'
import { migrationsFolder } from '../../../src/database/functions.ts'
import formerMigrations from './former-migrations.json'

/** The hashes of the first migrations from before there was a baseline, up to this number: 12 is version 1.0.0. */
export function formerHashes(last: number): string[] {
  return formerMigrations.slice(0, last + 1).map(({ hash }) => hash)
}

/** Makes the journal of these migrations and, from 12 on, the tables of version 1.0.0. One function stands for all. */
export async function makeFormerDatabase(queries: Queries, last: number): Promise<void> {
  if (last >= 12) {
    await run(queries, readMigrationFiles({ migrationsFolder })[0]?.sql)
    await run(queries, [
      `create function record_announcements(calls json, rate integer, rule smallint) returns json
        language sql as $$ select null::json $$`,
    ])
  }
  await makeJournal(queries, formerMigrations.slice(0, last + 1))
}

/** Makes the journal and the tables of version 1.1.0, which had eleven of today's migrations. */
export async function makeDatabaseOf110(queries: Queries): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder }).slice(0, 11)
  for (const migration of migrations) await run(queries, migration.sql)
  await makeJournal(
    queries,
    migrations.map(({ hash, folderMillis }) => ({ hash, when: folderMillis })),
  )
}

async function makeJournal(queries: Queries, seen: readonly { hash: string; when: number }[]): Promise<void> {
  await run(queries, [
    'create schema drizzle',
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    ...seen.map(
      ({ hash, when }) =>
        `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${when})`,
    ),
  ])
}

async function run(queries: Queries, statements: readonly string[] = []): Promise<void> {
  for (const statement of statements) await queries.execute(sql.raw(statement))
}
