import { sql } from 'drizzle-orm'
import type { Db } from '../database/db.ts'
import { deletedAtOnce, gently } from '../database/locks-and-pacing.ts'
import type { HistoryItem, historyLimits } from '../domain/history.ts'
import { scopeOf, scopesOf, targetOf, targetRule } from '../domain/target.ts'
import { oneValue } from './statements.ts'

/** What became of an item. `late`: it is not before the first announcement of the user here. */
export type HistoryResult = 'added' | 'known' | 'future' | 'late'

type Limit = keyof Pick<typeof historyLimits, 'ofUser' | 'aDay'>

export type HistoryOutcome =
  | {
      readonly outcome: 'judged'
      readonly results: readonly HistoryResult[]
      /** When the user first announced here, null if they have not. */
      readonly first: Date | null
      readonly now: Date
    }
  /** Only `added` items were added, because more would exceed a limit of domain/history.ts. */
  | { readonly outcome: Limit; readonly added: number }
  /** The account was deleted. */
  | { readonly outcome: 'gone' }

/** The user, and the name of the token that sends for them. */
type Sender = { readonly userId: number; readonly token: string | null }

/** How many are recorded at once: on the embedded database, other queries wait for them. */
const recordedAtOnce = 50

/**
 * Records deployments from before a user announced here; the results are in the order of the items. Works in
 * chunks: if another call of the user fills up a limit during this one, some items may have been added before. A
 * repetition adds nothing twice. Throws Unavailable.
 */
export async function recordHistory(
  db: Db,
  by: Sender,
  items: readonly HistoryItem[],
): Promise<HistoryOutcome> {
  const trial = await judge(db, by, items, true)
  if (trial.outcome !== 'judged') return trial
  const results = [...trial.results]
  const places = items.flatMap((_, place) => (results[place] === 'added' ? [place] : []))
  for (let from = 0; from < places.length; from += recordedAtOnce) {
    const chunk = places.slice(from, from + recordedAtOnce)
    const chosen = chunk.map((place) => items[place] as HistoryItem)
    const judged = await gently(() => judge(db, by, chosen, false))
    if (judged.outcome === 'gone') return judged
    if (judged.outcome !== 'judged') {
      const recorded = places.slice(0, from).filter((place) => results[place] === 'added')
      return { ...judged, added: recorded.length }
    }
    for (const [n, place] of chunk.entries()) results[place] = judged.results[n] as HistoryResult
  }
  return { ...trial, results }
}

type Judged =
  | {
      readonly outcome: 'judged'
      readonly results: readonly HistoryResult[]
      readonly first_ms: number | null
      readonly now_ms: number
    }
  | { readonly outcome: Limit }

/** One statement, which commits by itself: a call of drizzle/functions/record_history.sql. */
async function judge(
  db: Db,
  { userId, token }: Sender,
  items: readonly HistoryItem[],
  isTrial: boolean,
): Promise<HistoryOutcome> {
  const json = JSON.stringify(items.map((item) => ({ ...rowOf(item), token })))
  const statement = sql`select record_history(${userId}, ${json}, ${targetRule}, ${isTrial}) as judged`
  const judged = await db.run(oneValue<Judged | null>(statement))
  if (judged === null) return { outcome: 'gone' }
  if (judged.outcome !== 'judged') return { outcome: judged.outcome, added: 0 }
  const { outcome, results, first_ms, now_ms } = judged
  return {
    outcome,
    results,
    first: first_ms === null ? null : new Date(first_ms),
    now: new Date(now_ms),
  }
}

/** Keeps these keys apart from those of announcements, which contain no tab. */
const keyPrefix = 'history\t'

function rowOf({ announcement, deployedAt, key }: HistoryItem): object {
  const target = announcement.url === null ? null : targetOf(announcement.url)
  return {
    ...announcement,
    deployed_at: deployedAt.toJSON(),
    key: keyPrefix + key,
    scopes: scopesOf(target),
    target: target === null ? null : scopeOf(target),
  }
}

/** A connection without an answer is closed after ten seconds. */
const awaitedMs = 7_000

/**
 * Deletes all imported deployments of a user, in chunks with the oldest first. Returns whether all are gone
 * after some seconds. If not, the rest is deleted in the background, or by another call if the process ends before
 * that. Throws Unavailable.
 */
export async function removeHistory(db: Db, userId: number): Promise<boolean> {
  const removing = removeChunks(db, userId).then(() => true)
  const waiting = Bun.sleep(awaitedMs).then(() => false)
  // If the caller no longer waits, nobody handles a failure.
  removing.catch(() => {})
  return await Promise.race([removing, waiting])
}

async function removeChunks(db: Db, userId: number): Promise<void> {
  const statement = sql`select remove_history(${userId}, ${deletedAtOnce}) as removed`
  let removed: number
  do {
    removed = await gently(() => db.run(oneValue<number>(statement)))
  } while (removed > 0)
}

/** How many deployments of a user are from history. Throws Unavailable. */
export async function countHistory(db: Db, userId: number): Promise<number> {
  const statement = sql`select count(*)::int as count from deployments where user_id = ${userId} and id < 0`
  return await db.run(oneValue<number>(statement))
}
