import type { FeedEvent, FeedFilter } from '../domain/feed-event.ts'
import { audience } from './audience.ts'
import { type News, type Receiver, Watcher } from './watcher.ts'

/** Where the events are kept (docs/architecture.md#log). */
export type EventLog = {
  /** The id of the last event, 0 where there is none. */
  latestId(): Promise<number>
  /** The first events after an id, the oldest first, at most `limit`. */
  readAfter(id: number, limit: number): Promise<readonly FeedEvent[]>
  /** The last events of a part after an id, the oldest first, at most `limit`. */
  readLatest(filter: FeedFilter, id: number, limit: number): Promise<readonly FeedEvent[]>
}

export type Watch = {
  readonly filter: FeedFilter
  /** The last event that the watcher has seen; null begins with the next one. */
  readonly after: number | null
  readonly receiver: Receiver
}

export type LiveFeed = {
  /** The bell: there may be something new. Costs nothing where nobody watches. */
  look(): void
  /**
   * Sends a receiver all that comes after what it has seen, once and in order, until its watcher leaves or it
   * throws. Somebody who missed more than `catchUpLimit` gets a "gap" and the last of it. Rejects with what
   * the log rejects with, where it cannot be read now.
   */
  watch(watch: Watch): Promise<Watcher>
  leave(watcher: Watcher): void
  readonly watcherCount: number
  close(): void
}

export const catchUpLimit = 100
const pageSize = 500
/** It looks without a bell too: a bell that was lost on its way is made up for by then. */
const lookEveryMs = 5_000

/** Follows a log and fans it out to its watchers. Knows no HTML and no HTTP. */
export function liveFeed(log: EventLog): LiveFeed {
  const watchers = audience()
  /** The last event that the tail took. While somebody watches it alone moves this: nothing is passed over. */
  let position = 0
  let locating = Promise.resolve()
  let isLooking = false
  let lookAgain = false
  let isInterrupted = false
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  return {
    look,
    watch,
    leave: watchers.remove,
    get watcherCount() {
      return watchers.size
    },
    close() {
      clearInterval(timer)
      watchers.clear()
    },
  }

  async function watch({ filter, after, receiver }: Watch): Promise<Watcher> {
    const added = new Watcher(filter, receiver)
    if (watchers.size === 0) locating = locate()
    watchers.add(added)
    try {
      await locating
      const seen = after === null ? position : await within(after)
      // Read after the tail has its place: what this does not see, the tail will send.
      const events = after === null ? [] : await log.readLatest(filter, seen, catchUpLimit + 1)
      added.begin(seen, { isCut: events.length > catchUpLimit, events: events.slice(-catchUpLimit) })
      if (isInterrupted) added.tell('interrupted')
    } catch (error) {
      watchers.remove(added)
      throw error
    }
    look()
    return added
  }

  /** The tail stood still while nobody watched: it goes on from the end of the log. */
  async function locate(): Promise<void> {
    position = Math.max(position, await log.latestId())
    isInterrupted = false
  }

  /** An id that the log has not reached is of before it was set back: nothing would come after it for long. */
  async function within(id: number): Promise<number> {
    return id <= position ? id : Math.min(id, await log.latestId())
  }

  function look(): void {
    lookAgain = true
    if (isLooking || watchers.size === 0) return
    isLooking = true
    void follow()
  }

  async function follow(): Promise<void> {
    while (lookAgain) {
      lookAgain = false
      try {
        await locating
        await sendNew()
        tellOnce('resumed')
      } catch {
        // The log is away. The next bell or the timer looks again, from the same position.
        tellOnce('interrupted')
      }
    }
    // Not a turn later: a bell in between would be lost.
    isLooking = false
  }

  function tellOnce(news: News): void {
    const wasInterrupted = isInterrupted
    isInterrupted = news === 'interrupted'
    if (isInterrupted !== wasInterrupted) watchers.tell(news)
  }

  async function sendNew(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const events = await log.readAfter(position, pageSize)
      for (const event of events) {
        position = Math.max(position, event.id)
        await watchers.offer(event)
      }
      isMore = events.length === pageSize && watchers.size > 0
    }
  }
}
