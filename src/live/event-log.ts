import type { FeedEvent, FeedFilter } from '../domain/feed-event.ts'

/** The stored events (docs/architecture.md#log). */
export type EventLog = {
  /** The id of the last event, 0 if there is none. */
  latestId(): Promise<number>
  /** The highest id that was given, even to an event that is gone with its account. */
  highestId(): Promise<number>
  /** The first events of a part of the feed after an id, the oldest first, at most `limit`. */
  readAfter(filter: FeedFilter, id: number, limit: number): Promise<readonly FeedEvent[]>
  /** The last events of a part of the feed after an id, the oldest first, at most `limit`. */
  readLatest(filter: FeedFilter, id: number, limit: number): Promise<readonly FeedEvent[]>
}
