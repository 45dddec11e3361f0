import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { oneRowOf } from '../database/sql.ts'
import { startOf } from '../domain/time.ts'

/** The ids that deployments of a day lie between, both exclusive. */
export type IdsOfDay = { readonly after: number; readonly before: number }

/**
 * Finds the ids of a UTC day, given as its number. Ids are in the order of the instants, but where a clock was set
 * back: so a day is a range of them, whoever deployed what, and every list of it is a walk of the list's own index.
 */
export async function idsOfDay(db: Db, day: number): Promise<IdsOfDay> {
  const { first, next } = await db.read((queries) =>
    oneRowOf<{ first: string; next: string }>(
      queries,
      sql`select (${firstIdFrom(startOf(day))}) as first, (${firstIdFrom(startOf(day + 1))}) as next`,
    ),
  )
  return { after: Number(first) - 1, before: Number(next) }
}

/**
 * The smallest id that nothing of before an instant has or comes after: a search by halves, whose every step is a
 * probe of the primary key. `low` is always before the instant; `high` never is. The instant is a number, because
 * Postgres reads no text of the year 0, nor one of the year 10000 as JavaScript writes it.
 */
function firstIdFrom(instant: Date): SQL {
  return sql`
    with recursive search (low, high) as (
      select 0::bigint, coalesce((select id from deployments order by id desc limit 1), 0) + 1
      union all
      select case when is_before then middle else low end, case when is_before then high else middle end
      from (
        select low, high, middle, coalesce((
          select deployed_at < to_timestamp(${instant.getTime() / 1000}::float8) from deployments
          where id >= middle order by id limit 1
        ), false) as is_before
        from (select low, high, (low + high) / 2 as middle from search where high - low > 1) s
      ) s
    )
    select high from search order by high - low limit 1`
}
