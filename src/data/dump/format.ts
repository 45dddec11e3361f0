import { getTableName, type SQL, sql } from 'drizzle-orm'
import { type Queries, rowsOf, texts } from '../../database/db.ts'
import * as account from '../account/schema.ts'
import { intakeCalls, intakes } from '../intake/schema.ts'
import * as feed from '../schema.ts'
import { deliveries, webhooks } from '../webhooks/schema.ts'

/**
 * A dump is gzipped lines of JSON: a header; for each table a section, its rows in the order of its key, and
 * an empty line; the last ids of the sequences; and the sums of all of that, which show if a file was cut or
 * altered.
 */
export const dumpFormat = 'shipfeed dump'
export const dumpVersion = 1

export type DumpHeader = {
  readonly format: typeof dumpFormat
  readonly version: number
  /** Hashes, the oldest first. */
  readonly migrations: readonly string[]
  /** By the clock of its database. */
  readonly at: string
}

export type DumpSection = { readonly table: string; readonly columns: readonly string[] }

/** The last id that each sequence gave. */
export type DumpSequences = { readonly sequences: Readonly<Record<string, number>> }

/** The last line: the number of rows of each table, and the SHA-256 of all lines before. */
export type DumpSums = { readonly rows: Readonly<Record<string, number>>; readonly sha256: string }

/** Every table except those below, in an order in which rows can be inserted: owners first. */
export const dumpedTables = [
  account.users,
  account.retiredUsernames,
  account.publishers,
  account.usedJtis,
  account.tokens,
  account.readKeys,
  account.sessions,
  account.devices,
  account.passwordLinks,
  account.attempts,
  feed.deployments,
  feed.reports,
  feed.withdrawals,
  feed.latestDeployments,
  feed.dailyDeployments,
  feed.targets,
  feed.targetScopes,
  feed.historyDays,
  feed.refusals,
  webhooks,
  deliveries,
  intakes,
  intakeCalls,
].map(getTableName)

/** A table as a part of a statement. */
export function tableOf(name: string): SQL {
  return sql`public.${sql.identifier(name)}`
}

/** Names of columns as a part of a statement. */
export function identifiers(names: readonly string[]): SQL {
  return sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )
}

export type DumpedTable = {
  readonly name: string
  readonly columns: readonly string[]
  /** Of the primary key. */
  readonly key: readonly string[]
  /** Of its ids; null if it has none. */
  readonly sequence: string | null
}

/** Reads the tables' columns, keys and sequences from this database, in the order of `dumpedTables`. */
export async function readTables(queries: Queries): Promise<readonly DumpedTable[]> {
  return await rowsOf<DumpedTable>(
    queries,
    sql`
      select t.name,
        (
          select json_agg(attname order by attnum) from pg_attribute
          where attrelid = t.id and attnum > 0 and not attisdropped and attgenerated = ''
        ) as columns,
        (
          select json_agg(a.attname order by k.n)
          from pg_index i
          cross join lateral unnest(i.indkey::smallint[]) with ordinality as k(attnum, n)
          join pg_attribute a on a.attrelid = t.id and a.attnum = k.attnum
          where i.indrelid = t.id and i.indisprimary
        ) as key,
        (
          select s.relname from pg_class s join pg_depend d on d.objid = s.oid
          where s.relkind = 'S' and d.refobjid = t.id and d.deptype in ('a', 'i')
        ) as sequence
      from (
        select name, n, ('public.' || name)::regclass as id
        from unnest(${texts(dumpedTables)}) with ordinality as named(name, n)
      ) t
      order by t.n`,
  )
}
