import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { PgDialect } from 'drizzle-orm/pg-core'
import { counting } from '../../src/data/statements.ts'
import type { Db } from '../../src/database/db.ts'
import { databaseFunctions, migrationsFolder } from '../../src/database/functions.ts'
import { batchSize } from '../../src/domain/feed/id-batch.ts'
import { targetRule } from '../../src/domain/target.ts'
import { allPosters, deploymentsEach } from './people.ts'

/**
 * The statements that fill an empty database: the number of users that is asked for, with 110 deployments of the last
 * year each, dealt out evenly over 7 projects on github.com, each deployment with a link of its own. Scopes and
 * targets are as domain/ would make them, in SQL because that is a hundred times as fast. One more user, called busy,
 * may have any number of deployments to 1,000 projects.
 */
export function seeding(users: number, ofBusy = 0): readonly string[] {
  const deployments = users * deploymentsEach
  return quickly([
    `insert into users (id, username, name, password_hash)
      select n, 'u' || n, 'User ' || n, '' from generate_series(1, ${users}) n`,
    `insert into tokens (hash, user_id, last_four) values ${allPosters(users)
      .map(({ hash, userId, token }) => `('${hash}', ${userId}, '${token.slice(-4)}')`)
      .join(', ')}`,
    `insert into deployments (id, user_id, message, url, category, scopes, target, target_rule, deployed_at)
      select n, u, '✨ Saved searches, part ' || n, 'https://' || project || '/pull/' || n,
        (array[${categories}])[n / ${users} % 5 + 1], array['', 'github.com', owner, project], project,
        ${targetRule}, now() - make_interval(secs => (${deployments} - n) * ${secondsOfAYear} / ${deployments})
      from (select n, n::bigint * 7919 % ${users} + 1 as u from generate_series(1, ${deployments}) n) d
      cross join lateral (select 'github.com/u' || u as owner) o
      cross join lateral (select owner || '/p' || n / ${users} % 7 as project) p`,
    `insert into users (id, username, name, password_hash) values (${users + 1}, 'busy', 'Busy', '')`,
    `insert into deployments (id, user_id, message, url, category, scopes, target, target_rule, deployed_at)
      select ${deployments} + n, ${users + 1}, '✨ Saved searches, part ' || n, 'https://' || project || '/pull/' || n,
        (array[${categories}])[n % 5 + 1], array['', 'github.com', 'github.com/busy', project], project,
        ${targetRule}, now() - make_interval(secs => (${ofBusy} - n) * ${secondsOfAYear} / ${ofBusy})
      from (select n, 'github.com/busy/p' || n % 1000 as project from generate_series(1, ${ofBusy}) n) d`,
    new PgDialect().sqlToQuery(counting(sql`deployments`)).sql,
    `select setval('deployments_id_seq', ${deployments + ofBusy}), setval('users_id_seq', ${users + 1})`,
    // Nothing is searched here. Otherwise the service would index words while everything else is measured.
    `insert into search_batches select distinct b, 1 from unnest(array[0, ${lastWhole(deployments + ofBusy)}]) b`,
  ])
}

/** The last batch of the index of words that is complete with ids up to this one. */
function lastWhole(id: number): number {
  return Math.max(0, Math.floor((id + 1) / batchSize) - 1)
}

/** Statements that write many rows, with others before and after that make them fast. */
export function quickly(statements: readonly string[]): readonly string[] {
  return [
    // Turns triggers off, so that millions of foreign keys are not checked.
    'set session_replication_role = replica',
    "set work_mem = '512MB'",
    "set maintenance_work_mem = '512MB'",
    // Indexes are made in a third of the time once the rows are there.
    `create temp table later as select indexname, indexdef from pg_indexes
      where tablename in ('deployments', 'daily_deployments') and indexname not like '%key'
        and indexname not like '%_pk'`,
    eachOf('later', "'drop index ' || indexname"),
    ...statements,
    eachOf('later', 'indexdef'),
    'set session_replication_role = origin',
    'vacuum analyze',
    'checkpoint',
  ]
}

/** Runs the statement in each row of a result. */
function eachOf(table: string, statement: string): string {
  return `do $$ declare text text; begin for text in select ${statement} from ${table} loop execute text; end loop; end $$`
}

export const secondsOfAYear = '31536000.0'
/** The categories of successive deployments; every fifth has none. */
export const categories = "'feature', 'bug_fix', 'performance_improvement', 'styling_change', null"

/** The content of a database: the statements that fill it, and the work that the product does afterwards. */
export type DataSet = {
  readonly name: string
  readonly statements: readonly string[]
  readonly finish?: (db: Db) => Promise<void>
}

/** The data set with this many users, and this many deployments of the busy one. */
export function peopleDataSet(users: number, ofBusy = 0): DataSet {
  const statements = seeding(users, ofBusy)
  return { name: dataSetName(`${users}_${ofBusy}`, statements), statements }
}

/** A name for a data set, which changes with the schema and with the content. */
export function dataSetName(what: string, statements: readonly string[]): string {
  const migrations = readMigrationFiles({ migrationsFolder }).map(({ hash }) => hash)
  const all = [...migrations, databaseFunctions().hash, ...statements]
  const version = new Bun.CryptoHasher('sha256').update(all.join()).digest('hex').slice(0, 8)
  return `shipfeed_bench_${what}_${version}`
}
