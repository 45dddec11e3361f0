import { type FeedFilter, type Search, wholeFeed } from '../domain/feed-event.ts'
import { audience } from './audience.ts'
import { type CatchUp, readCatchUp } from './catch-up.ts'
import type { EventLog } from './event-log.ts'
import { type FeedState, type Receiver, Watcher } from './watcher.ts'

export type Watch = {
  readonly filter: FeedFilter | Search
  /** The id of the last event that the watcher has seen; null starts with the next one. */
  readonly after: number | null
  readonly receiver: Receiver
}

export type LiveFeed = {
  /** Looks for new events, for the bell to call. Costs nothing while nobody watches. */
  look(): void
  /**
   * Sends a receiver everything after what it has seen, once and in order, until `unwatch` or until it
   * throws. A receiver that missed more than `catchUpLimit` gets a "gap" and the last of them. Rejects with
   * what the log rejects with.
   */
  watch(watch: Watch): Promise<Watcher>
  unwatch(watcher: Watcher): void
  readonly watcherCount: number
  close(): void
}

const nothing: CatchUp = { isCut: false, events: [] }
const pageSize = 500
/** It also looks without a bell, to make up for one that was lost. */
const lookEveryMs = 5_000

/** Follows a log and fans it out to its watchers. */
export function liveFeed(log: EventLog): LiveFeed {
  const watchers = audience()
  /** The id of the last event that was read. While anybody watches, only reading moves it forward. */
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
    unwatch: watchers.remove,
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
      // Read after `position` is known: what this does not see, the tail will send.
      const missed = after === null ? nothing : await readCatchUp(log, filter, seen)
      added.begin(seen, missed)
      if (isInterrupted) added.notify('interrupted')
    } catch (error) {
      watchers.remove(added)
      throw error
    }
    look()
    return added
  }

  /** Moves to the end of the log, since nothing was read while nobody watched. */
  async function locate(): Promise<void> {
    position = Math.max(position, await log.latestId())
    isInterrupted = false
  }

  /**
   * Brings an id within the log: one that it has not given yet is from before the log was set back. One beyond its
   * end may be on a standby already (docs/architecture.md#standbys).
   */
  async function within(id: number): Promise<number> {
    if (id <= position || id <= (await log.highestId())) return id
    return Math.min(id, await log.latestId())
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
        notifyOnce('resumed')
      } catch {
        // The log cannot be read. The next bell or the timer looks again, from the same position.
        notifyOnce('interrupted')
      }
    }
    // In the same turn, or a bell in between would be lost.
    isLooking = false
  }

  function notifyOnce(state: FeedState): void {
    const wasInterrupted = isInterrupted
    isInterrupted = state === 'interrupted'
    if (isInterrupted !== wasInterrupted) watchers.notify(state)
  }

  /**
   * A log that has not given `position` yet was set back, by a failover or a backup, and would seem silent
   * until its ids have passed it. Watchers go on from its end, and are told of a gap.
   */
  async function turnBack(): Promise<void> {
    if ((await log.highestId()) >= position) return
    const end = await log.latestId()
    position = end
    watchers.turnBack(end)
  }

  async function sendNew(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const events = await log.readAfter(wholeFeed, position, pageSize)
      if (events.length === 0) await turnBack()
      for (const event of events) {
        position = Math.max(position, event.id)
        await watchers.offer(event)
      }
      isMore = events.length === pageSize && watchers.size > 0
    }
  }
}
