import { sql } from 'drizzle-orm'
import { coalesce } from '../database/coalesce.ts'
import type { Db } from '../database/db.ts'
import { observed } from '../database/observed.ts'
import { oneRowOf } from '../database/sql.ts'
import type { User } from '../domain/account/user.ts'
import type { Announcement } from '../domain/announcement.ts'
import type { Category } from '../domain/category.ts'
import { type Quota, quotaAt } from '../domain/quota.ts'
import { scopeOf, scopesOf, targetOf, targetRule } from '../domain/target.ts'

/** One valid call of POST /api. */
export type Recording = {
  readonly tokenHash: string
  readonly announcement: Announcement
  readonly idempotencyKey: string | null
}

export type DeploymentRecord = {
  readonly id: number
  readonly deployedAt: Date
  readonly category: Category | null
  readonly poster: User
}

export type RecordingOutcome =
  | { readonly outcome: 'unauthorized' }
  | { readonly outcome: 'rate_limited' | 'idempotency_key_reused'; readonly quota: Quota }
  | { readonly outcome: 'created' | 'replayed'; readonly quota: Quota; readonly recorded: DeploymentRecord }

/**
 * Makes the function that records announcements, many in one statement. Takes the posts allowed per user and
 * rolling minute (0: any number). What it resolves to is committed. After Unavailable, only a retry with the
 * same Idempotency-Key can tell (docs/decisions.md#announce).
 */
export function recorder(db: Db, ratePerMinute: number): (recording: Recording) => Promise<RecordingOutcome> {
  const ask = observed<Recording, RecordingOutcome>(db, 'announcements', (batch) =>
    record(db, batch, ratePerMinute),
  )
  // One in flight: a second would wait for the lock, and the calls in it are cheaper in the next batch.
  return coalesce(ask, { inFlight: 1, batchSize: 500 })
}

/** What `record_announcements` gives: its instant in ms, and a result for each call. Not all results are whole. */
type Recorded = readonly [nowMs: number, results: readonly Result[]]

type Result = readonly [
  outcome: RecordingOutcome['outcome'],
  posted: number,
  oldestMs: number | null,
  id: number,
  deployedAtMs: number,
  userId: number,
  username: string,
  name: string,
]

/**
 * One statement, which commits by itself. All that is decided under the feed's lock is decided in the function
 * of the database (drizzle/0014_fields.sql), so that the lock is held through no round trip of ours.
 */
async function record(
  db: Db,
  batch: readonly Recording[],
  ratePerMinute: number,
): Promise<readonly RecordingOutcome[]> {
  const calls = JSON.stringify(batch.map(callOf))
  const { recorded } = await db.run((queries) =>
    oneRowOf<{ recorded: Recorded }>(
      queries,
      sql`select record_announcements(${calls}, ${ratePerMinute}, ${targetRule}) as recorded`,
    ),
  )
  const [nowMs, results] = recorded
  return results.map((result, n) => outcomeOf(result, nowMs, (batch[n] as Recording).announcement))
}

/** A call as the function takes it, with the scopes and the target of its link. */
function callOf({ tokenHash, announcement, idempotencyKey }: Recording): object {
  const target = announcement.url === null ? null : targetOf(announcement.url)
  return {
    token_hash: tokenHash,
    ...announcement,
    scopes: scopesOf(target),
    target: target === null ? null : scopeOf(target),
    key: idempotencyKey,
  }
}

function outcomeOf(result: Result, nowMs: number, { category }: Announcement): RecordingOutcome {
  const [outcome, posted, oldestMs, id, deployedAtMs, userId, username, name] = result
  if (outcome === 'unauthorized') return { outcome }
  const quota = quotaAt(nowMs, { posted, oldestMs })
  if (outcome === 'rate_limited' || outcome === 'idempotency_key_reused') return { outcome, quota }
  const recorded = {
    id,
    deployedAt: new Date(deployedAtMs),
    category,
    poster: { id: userId, username, name },
  }
  return { outcome, quota, recorded }
}
