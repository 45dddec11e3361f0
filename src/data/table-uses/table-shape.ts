import { getTableName, type SQL, sql } from 'drizzle-orm'
import { type Queries, rowsOf, texts } from '../../database/db.ts'
import type { TableUse } from './table-use.ts'

/** A table as the database has it. */
export type TableShape = {
  readonly name: string
  readonly columns: readonly string[]
  /** Of the primary key. */
  readonly key: readonly string[]
  /** Of its ids; null if it has none. */
  readonly sequence: string | null
}

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

/** Reads the columns, keys and sequences of these tables from this database, in their order. */
export async function readShapes(
  queries: Queries,
  tables: readonly TableUse[],
): Promise<readonly TableShape[]> {
  const names = tables.map(({ table }) => getTableName(table))
  return await rowsOf<TableShape>(
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
        from unnest(${texts(names)}) with ordinality as named(name, n)
      ) t
      order by t.n`,
  )
}
