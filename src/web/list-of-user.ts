import { idsOfDay } from '../data/days.ts'
import { listDeployments, newerPage, type Page } from '../data/deployments.ts'
import type { Db } from '../database/db.ts'
import type { Category } from '../domain/category.ts'
import { dateOf } from '../domain/time.ts'
import { readCategory, readDay, readEnvironment } from '../http/query.ts'
import { profileAddress } from '../views/page/address.ts'
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

type PageOfUser = Omit<Page, 'seen'> & {
  /** Null where the list is not live: of a day, and on an older page. */
  readonly seen: number | null
  /** Of an older page: the id to page before for the one that it follows, null where that is the newest. */
  readonly newer: number | null
}

/** Reads the newest page of a part, or the one before an id. Throws `bad_request` if it is too wide. */
export async function readListOfUser(
  db: Db,
  { on, ...filter }: Which,
  before: number | null,
): Promise<PageOfUser> {
  await refuseBroad(db, filter)
  if (on === null) {
    const [list, newer] = await Promise.all([
      listDeployments(db, { ...filter, before }),
      before === null ? null : newerPage(db, { ...filter, before }),
    ])
    return { ...list, newer, seen: before === null ? list.seen : null }
  }
  const day = await idsOfDay(db, on)
  const ids = { after: day.after, before: Math.min(before ?? day.before, day.before) }
  return { ...(await listDeployments(db, { ...filter, ...ids })), newer: null, seen: null }
}

/** The address of the page before an id, of a user or of one thing that they deploy to. */
export function pageOfUserAddress(
  username: string,
  { target, category, environment, on }: PartOfUser & { readonly target: string | null },
  before: number,
): string {
  const date = on === null ? null : dateOf(on)
  return profileAddress(username, { target, category, environment, on: date, before })
}
