import { type SQL, sql } from 'drizzle-orm'
import type { Announcement } from '../domain/announcement.ts'
import { ringBell } from './bell.ts'
import { freeInSeconds, recentPosts } from './quota.ts'

/** What the statement takes of one call; `n` is its place in the batch. */
export type RecordCall = Announcement & {
  readonly n: number
  readonly token_hash: string
  readonly scopes: readonly string[]
  readonly key: string | null
}

/**
 * Who calls, what they posted in the last minute, which keys are known, then the insert. Within a batch a
 * call counts those before it: for the rate, and as the first use of its key.
 */
export function recordStatement(calls: readonly RecordCall[], ratePerMinute: number): SQL {
  return sql`
    with call as (
      select * from jsonb_to_recordset(${JSON.stringify(calls)}::jsonb)
        as c(n int, token_hash text, message text, url text, category text, scopes jsonb, key text)
    ),
    caller as (
      select c.*, u.id as user_id, u.username, u.name
      from call c
      join tokens t on t.hash = c.token_hash and (t.expires_at is null or t.expires_at > statement_timestamp())
      join users u on u.id = t.user_id
      -- A user who is being deleted is no caller then; the foreign keys take this lock anyway.
      for key share of u
    ),
    recent as (${recentPosts(sql`select distinct user_id from caller`, ratePerMinute)}),
    known as (
      select c.*, d.id as known_id, coalesce(r.posted, 0) as posted, r.oldest,
        c.key is null or row_number() over (partition by c.user_id, c.key order by c.n) = 1 as is_first
      from caller c
      left join recent r on r.user_id = c.user_id
      left join deployments d on d.user_id = c.user_id and d.idempotency_key = c.key
    ),
    counted as (
      select *, known_id is null and is_first as is_new,
        posted + count(*) filter (where known_id is null and is_first)
          over (partition by user_id order by n rows between unbounded preceding and 1 preceding) as before
      from known
    ),
    admitted as (
      select *, ${ratePerMinute}::int > 0 and before >= ${ratePerMinute}::int as is_limited from counted
    ),
    drawn as materialized (
      select *, case when is_new and not is_limited then nextval('deployments_id_seq') end as new_id
      from admitted order by n
    ),
    inserted as (
      insert into deployments
        (id, user_id, message, url, category, scopes, idempotency_key, posted_as, deployed_at)
      select new_id, user_id, message, url, category, array(select jsonb_array_elements_text(scopes)),
        key, case when key is not null then name end, statement_timestamp()
      from drawn where new_id is not null
    ),
    latest as (
      insert into latest_deployments (user_id, scope, deployed_at)
      select distinct user_id, scope, statement_timestamp()
      from drawn cross join lateral jsonb_array_elements_text(scopes) as scope
      where new_id is not null
      on conflict (user_id, scope) do update set deployed_at = excluded.deployed_at
    ),
    used as (
      -- To the minute is enough, and spares a write a call; what an old token does is told exactly.
      update tokens set last_used_at = statement_timestamp()
      where hash in (select token_hash from caller) and (
        last_used_at is null or expires_at is not null
        or last_used_at < statement_timestamp() - interval '1 minute'
      )
    ),
    bell as (${ringBell} where exists (select from drawn where new_id is not null))
    select
      (select count(*) from bell) as rung,
      case
        when d.user_id is null then 'unauthorized'
        when d.is_limited then 'rate_limited'
        when d.is_new then 'created'
        when (coalesce(k.message, f.message), coalesce(k.url, f.url), coalesce(k.category, f.category))
          is not distinct from (d.message, d.url, d.category) then 'replayed'
        else 'idempotency_key_reused'
      end as outcome,
      d.user_id, d.username, coalesce(k.posted_as, d.name) as name, d.category,
      coalesce(d.known_id, f.new_id, d.new_id) as id,
      (extract(epoch from date_trunc('milliseconds', coalesce(k.deployed_at, statement_timestamp()))) * 1000)::float8
        as deployed_at_ms,
      (d.before + case when d.new_id is null then 0 else 1 end)::int as posted,
      ${freeInSeconds(sql`d.oldest`)} as free_in_seconds
    from call c
    left join drawn d on d.n = c.n
    left join deployments k on k.id = d.known_id
    left join drawn f on f.user_id = d.user_id and f.key = d.key and f.is_first and d.known_id is null
    order by c.n`
}
