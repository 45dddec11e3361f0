import {
  type FeedEvent,
  type FeedFilter,
  isIn,
  isSearch,
  type Search,
  wholeFeed,
} from '../domain/feed-event.ts'

/** The most events that a returning reader is sent. */
export const catchUpLimit = 100
/** The most among which those of a search are looked for: the log has no index of words. */
const searchedLimit = 1_000

/** The events after an id, the oldest first; `isCut` if earlier ones were left out. */
export type CatchUp = { readonly isCut: boolean; readonly events: readonly FeedEvent[] }

type Log = {
  /** The last events of a part of the feed after an id, the oldest first, at most `limit`. */
  readLatest(filter: FeedFilter, after: number, limit: number): Promise<readonly FeedEvent[]>
}

/** Reads what a returning reader of a part missed after an id, or the last of it. Rejects as the log does. */
export async function readCatchUp(log: Log, filter: FeedFilter | Search, after: number): Promise<CatchUp> {
  if (isSearch(filter)) {
    const events = await log.readLatest(wholeFeed, after, searchedLimit + 1)
    const found = events.slice(-searchedLimit).filter((event) => isIn(filter, event))
    const isCut = events.length > searchedLimit || found.length > catchUpLimit
    return { isCut, events: found.slice(-catchUpLimit) }
  }
  const events = await log.readLatest(filter, after, catchUpLimit + 1)
  return { isCut: events.length > catchUpLimit, events: events.slice(-catchUpLimit) }
}
