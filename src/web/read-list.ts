import { listDeployments, type Page } from '../data/deployments.ts'
import { findDeployments } from '../data/search/finding.ts'
import type { Db } from '../database/db.ts'
import { type FeedFilter, isSearch, type Search } from '../domain/feed-event.ts'

/**
 * A page of a part of the feed, for programs. That of a search may have few or none and still have older ones,
 * where it has not looked at everything.
 */
export async function readList(
  db: Db,
  part: FeedFilter | Search,
  range: { readonly before: number | null; readonly limit: number },
): Promise<Page> {
  if (!isSearch(part)) return await listDeployments(db, { ...part, ...range })
  const { rest, ...page } = await findDeployments(db, { ...part, ...range })
  return { ...page, older: page.older ?? rest?.before ?? null }
}
