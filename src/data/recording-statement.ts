import { type SQL, sql } from 'drizzle-orm'
import { ringBell } from '../database/bell.ts'
import { inMs, texts } from '../database/sql.ts'
import { targetRule } from '../domain/target.ts'
import { tokenWorks } from './account/tokens.ts'
import { counting } from './counting.ts'
import { freeInSeconds, isOverRate, recentPosts } from './rate-limit.ts'

/** The input of the statement for one call. */
export type RecordCall = {
  readonly tokenHash: string
  readonly message: string
  readonly url: string | null
  readonly category: string | null
  /** The scopes that the deployment counts for, besides everything. */
  readonly scopes: readonly string[]
  readonly target: string | null
  readonly idempotencyKey: string | null
}

/**
 * Finds who calls, what they posted in the last minute and which keys are known, then inserts. Gives one row
 * per call, in their order. Within a batch, a call counts those before it: for the rate, and for the first
 * use of its key. The lateral joins make each look-up a probe of an index, however many tokens and users
 * there are.
 */
export function recordStatement(calls: readonly RecordCall[], ratePerMinute: number): SQL {
  const column = (of: (call: RecordCall) => string | null) => texts(calls.map(of))
  const tokenHashes = column(({ tokenHash }) => tokenHash)
  const counts = counting(sql`recorded`)
  return sql`
    with call as (
      select * from unnest(
        ${tokenHashes}, ${column(({ message }) => message)}, ${column(({ url }) => url)},
        ${column(({ category }) => category)}, ${column(({ scopes }) => scopes.join('\n'))},
        ${column(({ target }) => target)}, ${column(({ idempotencyKey }) => idempotencyKey)}
      ) with ordinality as c(token_hash, message, url, category, scopes, target, key, n)
    ),
    caller as (
      select c.*, u.id as user_id, u.username, u.name
      from call c
      cross join lateral (
        select user_id from tokens where hash = c.token_hash and ${tokenWorks} limit 1
      ) t
      -- The lock leaves out a user who is being deleted; the foreign keys take it anyway.
      cross join lateral (select id, username, name from users where id = t.user_id for key share) u
    ),
    recent as (
      select p.user_id, r.*
      from (select distinct user_id from caller) p
      cross join lateral (${recentPosts(sql`p.user_id`, ratePerMinute)}) r
    ),
    known as (
      select c.*, d.id as known_id, d.known, d.posted_as, d.deployed_at as known_at, r.posted, r.oldest,
        c.key is null or row_number() over (partition by c.user_id, c.key order by c.n) = 1 as is_first
      from caller c
      join recent r on r.user_id = c.user_id
      left join lateral (
        select id, row(message, url, category) as known, posted_as, deployed_at
        from deployments where user_id = c.user_id and idempotency_key = c.key limit 1
      ) d on true
    ),
    counted as (
      select *, known_id is null and is_first as is_new,
        posted + count(*) filter (where known_id is null and is_first)
          over (partition by user_id order by n rows between unbounded preceding and 1 preceding) as before
      from known
    ),
    admitted as (
      select *, ${isOverRate(sql`before`, ratePerMinute)} as is_limited from counted
    ),
    drawn as materialized (
      select *, case when is_new and not is_limited then nextval('deployments_id_seq') end as new_id,
        array_prepend('', string_to_array(scopes, E'\\n')) as all_scopes
      from admitted order by n
    ),
    inserted as (
      insert into deployments
        (id, user_id, message, url, category, scopes, target, target_rule, idempotency_key, posted_as, deployed_at)
      select new_id, user_id, message, url, category, all_scopes, target, ${targetRule},
        key, case when key is not null then name end, statement_timestamp()
      from drawn where new_id is not null
    ),
    recorded as (
      select user_id, all_scopes as scopes, target, statement_timestamp() as deployed_at
      from drawn where new_id is not null
    ),
    latest as (${counts.latest}),
    scopes_of_target as (${counts.targetScopes}),
    latest_of_target as (${counts.targets}),
    counted_today as (${counts.days}),
    used as (
      -- To the minute is enough and spares writes; the use of an old token is told exactly.
      update tokens set last_used_at = statement_timestamp()
      where hash = any(${tokenHashes}) and ${tokenWorks} and (
        last_used_at is null or expires_at is not null
        or last_used_at < statement_timestamp() - interval '1 minute'
      )
    ),
    bell as (${ringBell} where exists (select from recorded))
    select
      (select count(*) from bell) as rung,
      case
        when d.user_id is null then 'unauthorized'
        when d.is_limited then 'rate_limited'
        when d.is_new then 'created'
        when coalesce(d.known, row(f.message, f.url, f.category))
          is not distinct from row(d.message, d.url, d.category) then 'replayed'
        else 'idempotency_key_reused'
      end as outcome,
      d.user_id, d.username, coalesce(d.posted_as, d.name) as name, d.category,
      coalesce(d.known_id, f.new_id, d.new_id) as id,
      ${inMs(sql`coalesce(d.known_at, statement_timestamp())`)} as deployed_at_ms,
      (d.before + case when d.new_id is null then 0 else 1 end)::int as posted,
      ${freeInSeconds(sql`d.oldest`)} as free_in_seconds
    from call c
    left join drawn d on d.n = c.n
    left join drawn f on f.user_id = d.user_id and f.key = d.key and f.is_first and d.known_id is null
    order by c.n`
}
