import { sql } from 'drizzle-orm'
import { batch } from '../database/batch.ts'
import { type Db, inMs, nowInMs, type Queries, rowOfWritten, texts } from '../database/db.ts'
import { type TokenEnd, tokenEndOf } from '../domain/account/token.ts'
import type { Token } from '../domain/account/token-rights.ts'
import type { Announcement } from '../domain/announcement/announcement.ts'
import type { Quota } from '../domain/announcement/quota.ts'
import type { Deployment } from '../domain/deployment.ts'
import type { Release } from '../domain/release/release.ts'
import type { Replaced } from '../domain/release/rollback.ts'
import { countedFor, targetRule } from '../domain/target.ts'
import { tokenWorks } from './account/tokens.ts'
import { type EarlierColumn, replacedOf, type VerifiedColumn, verifiedOf } from './deployments.ts'
import { allRows, oneValue } from './statements.ts'
import { joinedTarget } from './targets.ts'

/** What lets a call announce for a user: a token, or the intake that a forge has called. */
type Admission =
  | { readonly tokenHash: string }
  /** With the id of the call, if it waited: it is `unauthorized` if it does not wait any more. */
  | { readonly intakeId: string; readonly waitingId?: number }

/** One valid call of POST /api or of an intake, whose calls always have a key. */
export type Recording = Admission & {
  readonly announcement: Announcement
  readonly idempotencyKey: string | null
  readonly hops?: number
}

export type DeploymentRecord = Pick<Deployment, 'id' | 'deployedAt' | 'category' | 'poster' | 'replaced'> &
  FilledFields

/** The fields that replace those that were sent: with a publisher's token, and in a retry that somebody else started. */
type FilledFields = Release & Pick<Deployment, 'verified'>

export type RecordingOutcome =
  | { readonly outcome: 'unauthorized' }
  /** The token is not allowed to announce at all, or not this deployment. */
  | { readonly outcome: 'forbidden'; readonly token: Token }
  | { readonly outcome: 'rate_limited'; readonly quota: Quota }
  | {
      readonly outcome: 'idempotency_key_reused'
      readonly quota: Quota
      readonly owner: Pick<DeploymentRecord, 'id' | 'poster'>
    }
  | {
      readonly outcome: 'created' | 'replayed'
      readonly quota: Quota
      readonly recorded: DeploymentRecord
      /** When the token ends; null if it has no end, or is a publisher's. */
      readonly tokenEnd: TokenEnd | null
    }

/** One in flight: a second would wait for the lock, and its calls are cheaper in the next batch. */
const limits = { inFlight: 1, batchSize: 500 }

/**
 * Makes the function that records announcements. `ratePerMinute` is how many posts a user may make in a rolling minute
 * (0: any number). When it resolves, the deployment is committed. After Unavailable, only a retry with the same
 * Idempotency-Key shows whether it was.
 */
export function recorder(db: Db, ratePerMinute: number): (recording: Recording) => Promise<RecordingOutcome> {
  // The function decides everything under the feed's lock and commits: no round trip happens while the lock is held.
  const text = 'select announce($1, $2, $3) as recorded'
  const record = async (all: readonly Recording[]) => {
    const values = [JSON.stringify(all.map(callOf)), String(ratePerMinute), String(targetRule)]
    const call = (queries: Queries) => rowOfWritten<{ recorded: Recorded }>(queries, text, values)
    db.requireSpace?.()
    const { recorded } = await db.write(call, 'reserved')
    return recorded.results.map((result, n) =>
      outcomeOf(result, recorded.nowMs, (all[n] as Recording).announcement),
    )
  }
  return batch(db, 'announcements', record, limits)
}

/** What `announce` returns: its instant, and a result for each call. */
type Recorded = { readonly nowMs: number; readonly results: readonly Result[] }

type Result =
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'forbidden'; readonly token: Token }
  | ({ readonly outcome: 'rate_limited' } & PostsOfMinute)
  | ({
      readonly outcome: 'created' | 'replayed' | 'idempotency_key_reused'
      readonly id: number
      readonly deployedAtMs: number
      readonly userId: number
      readonly username: string
      readonly name: string
      /** What a publisher or an earlier call filled in; null if neither could have. */
      readonly filled: Filled | null
      readonly earlier: EarlierColumn
      readonly tokenExpiresMs: number | null
    } & PostsOfMinute)

type Filled = Readonly<Record<'environment' | 'version' | 'commit' | 'actor', string | null>> & {
  readonly verified: VerifiedColumn
}

type PostsOfMinute = { readonly posted: number; readonly oldestMs: number | null }

/** What a deployment of a user would replace now. */
export async function readReplaced(db: Db, userId: number, of: Announcement): Promise<Replaced | null> {
  const { target } = countedFor(of)
  const { environment = null } = of
  const statement = sql`
    select earlier_releases(
      ${userId}::bigint, ${joinedTarget(sql`${userId}::bigint`, sql`${target}::text`)}, ${environment}::text, ${Number.MAX_SAFE_INTEGER}::bigint
    ) as earlier`
  return replacedOf(of, await db.readPrimary(oneValue<EarlierColumn>(statement)))
}

/** The fields that a publisher's token would fill in for an announcement. */
export async function readFilled(db: Db, tokenHash: string, of: Announcement): Promise<FilledFields> {
  const { environment = null, version = null, commit = null, actor = null, url } = of
  const statement = sql`
    select coalesce(${environment}::text, environment) as environment, coalesce(${version}::text, version) as version,
      coalesce(${commit}::text, commit) as commit, coalesce(${actor}::text, actor) as actor,
      case when is_below(${url}::text, verifies) then verified end as verified
    from tokens where hash = ${tokenHash} and publisher_id is not null`
  const [row] = await db.readPrimary(allRows<Filled>(statement))
  return row === undefined ? {} : filledOf(row)
}

/** A call as `announce` takes it, with the scopes and the target of its link. */
function callOf(recording: Recording): object {
  const { announcement, idempotencyKey, hops } = recording
  return {
    ...('tokenHash' in recording
      ? { token_hash: recording.tokenHash }
      : { intake: recording.intakeId, waiting: recording.waitingId }),
    ...announcement,
    ...countedFor(announcement),
    key: idempotencyKey,
    hops,
  }
}

function outcomeOf(result: Result, nowMs: number, announcement: Announcement): RecordingOutcome {
  if (result.outcome === 'unauthorized' || result.outcome === 'forbidden') return result
  const quota = quotaAt(nowMs, result)
  if (result.outcome === 'rate_limited') return { outcome: 'rate_limited', quota }
  const { outcome, id, deployedAtMs, userId, username, name, filled, earlier, tokenExpiresMs } = result
  const poster = { id: userId, username, name }
  if (outcome === 'idempotency_key_reused') return { outcome, quota, owner: { id, poster } }
  const fields = filled === null ? {} : filledOf(filled)
  const replaced = replacedOf({ ...announcement, ...fields }, earlier)
  const { category } = announcement
  return {
    outcome,
    quota,
    recorded: { id, deployedAt: new Date(deployedAtMs), category, poster, replaced, ...fields },
    tokenEnd: tokenExpiresMs === null ? null : tokenEndOf(new Date(tokenExpiresMs), new Date(nowMs)),
  }
}

function filledOf({ environment, version, commit, actor, verified }: Filled): FilledFields {
  const release = {
    environment: environment ?? undefined,
    version: version ?? undefined,
    commit: commit ?? undefined,
    actor: actor ?? undefined,
  }
  return { ...release, verified: verifiedOf(verified) }
}

/** Makes the function that returns the quota of the user of a token; null if it is not valid. */
export function quotaReader(db: Db, ratePerMinute: number): (tokenHash: string) => Promise<Quota | null> {
  const read = async (hashes: readonly string[]) => {
    const statement = sql`
      select hash, posted, ${inMs(sql`oldest`)} as oldest_ms, ${nowInMs} as now_ms
      from tokens cross join lateral posts_of_last_minute(user_id, ${ratePerMinute}, statement_timestamp())
      where hash = any(${texts(hashes)}) and ${tokenWorks}`
    const rows = await db.readPrimary(allRows<QuotaRow>(statement), 'reserved')
    const quotas = new Map(
      rows.map((row) => [row.hash, quotaAt(row.now_ms, { posted: row.posted, oldestMs: row.oldest_ms })]),
    )
    return hashes.map((hash) => quotas.get(hash) ?? null)
  }
  return batch(db, 'quotas', read, limits)
}

type QuotaRow = { hash: string; posted: number; oldest_ms: number | null; now_ms: number }

/** The quota at `now`, with `freeInSeconds` from 1 to 60. */
function quotaAt(now: number, { posted, oldestMs }: PostsOfMinute): Quota {
  const seconds = Math.ceil(60 - (now - (oldestMs ?? now)) / 1_000)
  return { posted, freeInSeconds: Math.min(60, Math.max(1, seconds)) }
}
