import { type SQL, sql } from 'drizzle-orm'
import { newestOfEachEnvironment } from '../../data/current.ts'
import type { OwnRow } from '../../data/deployments.ts'
import { newestIn, oldestIn } from '../../data/feed-pages.ts'
import { oneRow } from '../../data/statements.ts'
import { type Db, inMs, nowInMs } from '../../database/db.ts'
import { type ReleaseField, releaseFields, releaseOf } from '../../domain/release/release.ts'
import type { Reached, Window } from './rules.ts'

/** How many deployments of a project are read on each side of an id. */
export const windowSize = 400

export type Asked = {
  readonly userId: number
  readonly target: string
  /** The id from which later and earlier deployments are read; null for the newest ones. */
  readonly around: number | null
}

type Row = Pick<OwnRow, 'id' | 'message' | 'url' | 'deployed_at_ms' | ReleaseField>

type Found = {
  readonly later: readonly Row[] | null
  readonly earlier: readonly Row[] | null
  readonly live: readonly number[] | null
  readonly now_ms: number
}

/** The deployments of a project around an id, and which are live, in one statement that reads a bounded part. */
export async function readWindow(db: Db, { userId, target, around }: Asked): Promise<Window> {
  const ofTarget = { userId: sql`${userId}::bigint`, target: sql`${target}::text` }
  // The beginning of a message holds its headline.
  const selected = sql`
    id, left(message, 200) as message, url, ${sql.raw(releaseFields.join(', '))}, ${inMs(sql`deployed_at`)} as deployed_at_ms`
  const listed = (rows: SQL) => sql`(select json_agg(d order by id desc) from (${rows}) d)`
  const later = around === null ? sql`null` : listed(oldestIn(ofTarget, windowSize, selected, around - 1))
  const row = await db.read(
    oneRow<Found>(sql`
      select ${later} as later, ${listed(newestIn(ofTarget, windowSize, selected, around))} as earlier,
        (select json_agg(id) from (${newestOfEachEnvironment(ofTarget)}) d) as live, ${nowInMs} as now_ms`),
  )
  const earlier = row.earlier ?? []
  return {
    deployments: [...(row.later ?? []), ...earlier].map(announcedOf),
    isWhole: earlier.length < windowSize,
    live: new Set(row.live ?? []),
    now: new Date(row.now_ms),
  }
}

function announcedOf(row: Row): Reached {
  const { id, message, url, deployed_at_ms } = row
  return { id, message, url, ...releaseOf(row), deployedAt: new Date(deployed_at_ms) }
}
