import { idsOfDay } from '../data/days.ts'
import { listDeployments, type Page } from '../data/deployments.ts'
import type { Db } from '../database/db.ts'
import type { Category } from '../domain/category.ts'
import { readCategory, readDay, readEnvironment } from '../http/query.ts'
import { refuseBroad } from './refuse-broad.ts'

/** What of a user's deployments a page lists; `on` is a UTC day by its number. */
export type PartOfUser = {
  readonly category: Category | null
  readonly environment: string | null
  readonly on: number | null
}

export function readPart(query: Readonly<Record<string, string | undefined>>): PartOfUser {
  return { category: readCategory(query), environment: readEnvironment(query), on: readDay(query) }
}

type Which = PartOfUser & { readonly userId: number; readonly scope: string | null }

/** Reads the newest page of a part, or the one before an id. Throws `bad_request` if it is too wide. */
export async function readListOfUser(db: Db, { on, ...filter }: Which, before: number | null): Promise<Page> {
  await refuseBroad(db, filter)
  if (on === null) return await listDeployments(db, { ...filter, before })
  const day = await idsOfDay(db, on)
  return await listDeployments(db, {
    ...filter,
    after: day.after,
    before: Math.min(before ?? day.before, day.before),
  })
}
