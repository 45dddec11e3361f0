import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Queries } from '../../../src/database/db.ts'
import { migrationsFolder } from '../../../src/database/functions.ts'
import formerMigrations from './former-migrations.json'

/** The hashes of the first migrations from before there was a baseline, up to this number. */
export function formerHashes(last: number): string[] {
  return formerMigrations.slice(0, last + 1).map(({ hash }) => hash)
}

/**
 * Makes the tables and the journal that the migrations from before the baseline made, up to this number: 12 is version
 * 1.0.0, 19 and 20 are later revisions. Before 12 there is only the journal. One function stands for all.
 */
export async function makeFormerDatabase(queries: Queries, last: number): Promise<void> {
  const run = async (statements: readonly string[] = []) => {
    for (const statement of statements) await queries.execute(sql.raw(statement))
  }
  const [baseline, second, third] = readMigrationFiles({ migrationsFolder })
  if (last >= 12) {
    await run(baseline?.sql)
    await run([
      `create function record_announcements(calls json, rate integer, rule smallint) returns json
        language sql as $$ select null::json $$`,
    ])
  }
  if (last >= 19) {
    await run(second?.sql)
    await run(['create table uncounted_days (up_to bigint primary key)'])
  }
  if (last >= 20) await run(third?.sql.slice(0, 2))
  await run([
    'create schema drizzle',
    'create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)',
    ...formerMigrations
      .slice(0, last + 1)
      .map(
        ({ hash, when }) =>
          `insert into drizzle.__drizzle_migrations (hash, created_at) values ('${hash}', ${when})`,
      ),
  ])
}
