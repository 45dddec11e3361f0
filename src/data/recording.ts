import { coalesce } from '../database/coalesce.ts'
import type { Db, Queries } from '../database/db.ts'
import { lockFeed } from '../database/locks.ts'
import { rowsOf } from '../database/sql.ts'
import type { User } from '../domain/account/user.ts'
import type { Announcement } from '../domain/announcement.ts'
import type { Category } from '../domain/category.ts'
import { everything, scopeOf, scopesOf, targetOf } from '../domain/target.ts'
import type { Quota } from './rate-limit.ts'
import { type RecordCall, recordStatement } from './recording-statement.ts'

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
  // Two in flight: while one commits, the next waits for the lock.
  return coalesce((batch) => record(db, batch, ratePerMinute), { inFlight: 2, batchSize: 500 })
}

async function record(
  db: Db,
  batch: readonly Recording[],
  ratePerMinute: number,
): Promise<readonly RecordingOutcome[]> {
  const calls = batch.map(callOf)
  const rows = await db.run(async (queries) => {
    await prepare(queries, ratePerMinute)
    return await queries.transaction(async (transaction) => {
      // The lock is a statement of its own, because the snapshot of the next one must begin after it is held.
      // Both are sent at once: everybody waits for this lock, but should not wait for our round trips too.
      const [, recorded] = await Promise.all([
        lockFeed(transaction),
        rowsOf<Row>(transaction, recordStatement(calls, ratePerMinute)),
      ])
      return recorded
    })
  })
  return rows.map(outcomeOf)
}

/** The connections that have prepared the statement. */
const prepared = new WeakSet<Queries>()

/**
 * Prepares the statement on a connection by recording nothing, rather than while everybody waits for the
 * lock.
 */
async function prepare(queries: Queries, ratePerMinute: number): Promise<void> {
  if (prepared.has(queries)) return
  await rowsOf(queries, recordStatement([], ratePerMinute))
  prepared.add(queries)
}

/** The statement's input for a recording, with the scopes and the target of its link. */
export function callOf({ announcement, ...call }: Recording): RecordCall {
  const target = announcement.url === null ? null : targetOf(announcement.url)
  return {
    ...call,
    ...announcement,
    scopes: scopesOf(target).filter((scope) => scope !== everything),
    target: target === null ? null : scopeOf(target),
  }
}

type Row = {
  outcome: RecordingOutcome['outcome']
  user_id: string
  username: string
  name: string
  category: Category | null
  id: string
  deployed_at_ms: number
  posted: number
  free_in_seconds: number
}

function outcomeOf(row: Row): RecordingOutcome {
  if (row.outcome === 'unauthorized') return { outcome: row.outcome }
  const quota = { posted: row.posted, freeInSeconds: row.free_in_seconds }
  if (row.outcome === 'rate_limited' || row.outcome === 'idempotency_key_reused') {
    return { outcome: row.outcome, quota }
  }
  return {
    outcome: row.outcome,
    quota,
    recorded: {
      id: Number(row.id),
      deployedAt: new Date(row.deployed_at_ms),
      category: row.category,
      poster: { id: Number(row.user_id), username: row.username, name: row.name },
    },
  }
}
