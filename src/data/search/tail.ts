import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../database/db.ts'
import { nowInMs, oneRowOf } from '../../database/sql.ts'
import type { Search } from '../../domain/feed-event.ts'
import { batchSize } from '../../domain/search/postings.ts'
import { isBeginning } from '../../domain/search/words.ts'
import { type DeploymentRow, deploymentColumns } from '../deployment-row.ts'
import { latestEvent } from '../event-log.ts'

/** Deployments of these many ids, at most, are read one by one: four batches that wait to be indexed. */
const mostWalked = 4 * batchSize
/** So many that may have what is searched for are looked at. */
const mostRead = 200

export type FoundRow = DeploymentRow & { readonly scopes: readonly string[] }

/** What may be of a search in the newest deployments, which are not indexed, as one statement saw it. */
export type Tail = {
  readonly rows: readonly FoundRow[]
  /** The id down to which they were looked at, and the one at which the index begins. */
  readonly reached: number
  readonly start: number
  /** The batches that are indexed; null if none is. */
  readonly first: number | null
  readonly last: number | null
  readonly oldest: number | null
  readonly now_ms: number
  readonly seen: number
}

/** Reads them, the newest first; `before` is the id to look before. */
export async function readTail(db: Db, search: Search, before: number | null): Promise<Tail> {
  const tail = await db.run((queries) =>
    oneRowOf<Tail>(
      queries,
      sql`
        with log as (
          select ${latestEvent} as seen, (select min(id) from deployments) as oldest,
            (select min(batch) from search_batches) as first, (select max(batch) from search_batches) as last
        ),
        bounds as (
          select *, least(${before ?? Number.MAX_SAFE_INTEGER}::bigint, seen + 1) as top,
            coalesce((last + 1)::bigint * ${batchSize}, oldest, 0) as start
          from log
        )
        select first, last, oldest::float8, start::float8, seen::float8, ${nowInMs} as now_ms,
          greatest(start, top - ${mostWalked})::float8 as reached,
          (
            select coalesce(json_agg(page), '[]') from (
              select ${deploymentColumns}, scopes
              from (
                select * from deployments${search.words.length === 0 ? sql`` : compared}
                where id >= greatest(start, top - ${mostWalked}) and id < top${mayBeIn(search)}
                order by id desc limit ${mostRead}
              ) deployments
              cross join lateral (select id, username, name from users where id = user_id limit 1) users
              order by deployments.id desc
            ) page
          ) as rows
        from bounds`,
    ),
  )
  const lastRead = tail.rows.at(-1)
  return tail.rows.length < mostRead || lastRead === undefined
    ? tail
    : { ...tail, reached: Number(lastRead.id) }
}

function mayBeIn({ userId, category, scope, environment, words }: Search): SQL {
  return sql.join([
    ...(userId === null ? [] : [sql` and user_id = ${userId}`]),
    ...(category === null ? [] : [sql` and category = ${category}`]),
    ...(scope === null ? [] : [sql` and ${scope} = any(scopes)`]),
    ...(environment === null ? [] : [sql` and lower(environment) = ${environment}`]),
    ...words.map((word) => sql` and ${mayHave(word)}`),
  ])
}

/**
 * The text in which words are looked for, as domain/search/words.ts compares it, but for the case of letters beyond
 * ASCII. Made once a row (`offset 0`); most texts are ASCII, which costs a tenth.
 */
const compared = sql`
  cross join lateral (select concat_ws(' ', message, url, environment, version, commit) as raw offset 0) r
  cross join lateral (
    select lower((
      case when octet_length(raw) = length(raw) or raw is nfd normalized and raw is nfc normalized then raw
      else regexp_replace(normalize(raw, nfd), '[\u0300-\u036f]', '', 'g') end
    ) collate "C") as compared offset 0
  ) c`
const text = sql`compared`

/** Leaves out most rows that are not, so that few are sent, and none that is. */
function mayHave(word: string): SQL {
  if (!isBeginning(word) && /^[a-z\d]+$/.test(word)) {
    return sql`${text} ~ ${`(^|[^a-z0-9])${word}([^a-z0-9]|$)`}`
  }
  // How Postgres lowers them depends on its locale.
  const lower = [...word].filter((letter) => letter > '\x7f' && isLowerOfOne(letter))
  const upper = lower.map((letter) => letter.toUpperCase())
  const cased = sql`translate(${text}, ${`ς${upper.join('')}`}, ${`σ${lower.join('')}`})`
  return sql`strpos(${lower.length === 0 ? text : cased}, ${word.normalize('NFD')}) > 0`
}

/** Whether it is the small letter of one capital: ß is of two. */
function isLowerOfOne(letter: string): boolean {
  const upper = letter.toUpperCase()
  return upper.length === letter.length && upper !== letter && upper.toLowerCase() === letter
}
