import { sql } from 'drizzle-orm'
import { oneValue } from '../../data/statements.ts'
import type { Db } from '../../database/db.ts'
import { gently } from '../../database/pacing.ts'
import { countedFor, targetRule } from '../../domain/target.ts'
import type { ImportItem } from './rules.ts'

/**
 * What became of an item. `late`: it is not before the first announcement of the user here; `crowded`: there is no room
 * for more in its second.
 */
export type ImportResult = 'added' | 'known' | 'future' | 'late' | 'crowded'

/** `first` is when the user first announced here, null if they have not. */
type Judged = {
  readonly outcome: 'judged'
  readonly results: readonly ImportResult[]
  readonly first: Date | null
  readonly now: Date
}

export type ImportOutcome =
  | Judged
  /** Only `added` items were added, because more would exceed this limit of domain/imported.ts. */
  | { readonly outcome: 'ofUser' | 'aDay'; readonly added: number }
  | { readonly outcome: 'gone' }

type Sender = { readonly userId: number; readonly token: string | null }

type Items = readonly ImportItem[]

/** How many are recorded at once: a statement has two seconds. */
const recordedAtOnce = 50

/** Records deployments from before a user announced here. A repetition adds nothing twice. */
export async function recordImport(db: Db, by: Sender, items: Items): Promise<ImportOutcome> {
  const trial = await judge(db, by, items, true)
  if (trial.outcome !== 'judged') return trial
  const results = [...trial.results]
  const places = items.flatMap((_, place) => (results[place] === 'added' ? [place] : []))
  for (let from = 0; from < places.length; from += recordedAtOnce) {
    const chunk = places.slice(from, from + recordedAtOnce)
    const chosen = chunk.map((place) => items[place] as ImportItem)
    const judged = await gently(() => judge(db, by, chosen, false))
    if (judged.outcome === 'gone') return judged
    if (judged.outcome !== 'judged') {
      const added = places.slice(0, from).filter((place) => results[place] === 'added').length
      return { ...judged, added }
    }
    for (const [n, place] of chunk.entries()) results[place] = judged.results[n] as ImportResult
  }
  return { ...trial, results }
}

/** What record_history.sql returns; null if the account was deleted. */
type JudgedRow =
  | (Pick<Judged, 'outcome' | 'results'> & { readonly first_ms: number | null; readonly now_ms: number })
  | { readonly outcome: 'ofUser' | 'aDay' }
  | null

async function judge(db: Db, by: Sender, items: Items, isTrial: boolean): Promise<ImportOutcome> {
  const { userId, token } = by
  const rows = items.map(({ announcement, deployedAt, key }) => ({
    ...announcement,
    ...countedFor(announcement),
    deployed_at: deployedAt.toJSON(),
    // Announcements have no key with a tab.
    key: `history\t${key}`,
    token,
  }))
  const statement = sql`select record_history(${userId}, ${JSON.stringify(rows)}, ${targetRule}, ${isTrial}) as judged`
  if (!isTrial) db.requireSpace?.()
  const judged = await db.write(oneValue<JudgedRow>(statement))
  if (judged === null) return { outcome: 'gone' }
  if (judged.outcome !== 'judged') return { outcome: judged.outcome, added: 0 }
  const { outcome, results, first_ms, now_ms } = judged
  return { outcome, results, first: first_ms === null ? null : new Date(first_ms), now: new Date(now_ms) }
}
