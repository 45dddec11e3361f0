import type { FeedEvent, FeedFilter } from '../domain/feed-event.ts'
import { type Missed, type Receive, type Watcher, watcher } from './watcher.ts'

/** Where the events are kept (architecture, "The table is the log, NOTIFY is a bell"). */
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
  readonly receive: Receive
}

export type LiveFeed = {
  /** The bell: there may be something new. Costs nothing where nobody watches. */
  look(): void
  /**
   * Sends a watcher all that comes after what it has seen, once and in order, until the returned function
   * is called. Somebody who missed more than `catchUpLimit` gets a "gap" and the last of it. Rejects with
   * what the log rejects with, where it cannot be read now.
   */
  watch(watch: Watch): Promise<() => void>
  readonly watcherCount: number
  close(): void
}

export const catchUpLimit = 100
const nothing: Missed = { isCut: false, events: [] }
const pageSize = 500
/** What one turn of the event loop sends, so that a pipeline is not kept waiting by a crowd of watchers. */
const watchersPerTurn = 250
/** It looks without a bell too: a bell that was lost on its way is made up for by then. */
const lookEveryMs = 5_000

/** Follows a log and fans it out to its watchers. Knows no HTML and no HTTP. */
export function liveFeed(log: EventLog): LiveFeed {
  const watchers = new Set<Watcher>()
  /** The last event that went out. Setting it back is harmless: a watcher leaves out what it has had. */
  let position = 0
  let locating: Promise<number> | null = null
  let isLooking = false
  let lookAgain = false
  let isInterrupted = false
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  return {
    look,
    watch,
    get watcherCount() {
      return watchers.size
    },
    close() {
      clearInterval(timer)
      watchers.clear()
    },
  }

  async function watch({ filter, after, receive }: Watch): Promise<() => void> {
    // The tail stood still while nobody watched: it goes on from the end of the log. And while the log
    // is away, whoever comes must learn that.
    if (watchers.size === 0 || isInterrupted) locating = null
    const added = watcher(filter, receive)
    watchers.add(added)
    try {
      locating ??= log.latestId()
      const start = await locating
      position = Math.max(position, start)
      // Read after the tail has its place: what this does not see, the tail will send.
      added.begin(after ?? start, after === null ? nothing : await missed(filter, after))
    } catch (error) {
      watchers.delete(added)
      locating = null
      throw error
    }
    look()
    return () => watchers.delete(added)
  }

  async function missed(filter: FeedFilter, after: number): Promise<Missed> {
    const events = await log.readLatest(filter, after, catchUpLimit + 1)
    return { isCut: events.length > catchUpLimit, events: events.slice(-catchUpLimit) }
  }

  function look(): void {
    lookAgain = true
    if (isLooking || watchers.size === 0) return
    isLooking = true
    void follow().finally(() => {
      isLooking = false
    })
  }

  async function follow(): Promise<void> {
    try {
      while (lookAgain) {
        lookAgain = false
        await locating
        await sendNew()
      }
      if (isInterrupted) tellAll('resumed')
    } catch {
      // The log is away. The next bell or the timer looks again, from the same position.
      if (!isInterrupted) tellAll('interrupted')
    }
  }

  function tellAll(news: 'interrupted' | 'resumed'): void {
    isInterrupted = news === 'interrupted'
    for (const watcher of watchers) watcher.tell(news)
  }

  async function sendNew(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const events = await log.readAfter(position, pageSize)
      for (const event of events) {
        await fanOut(event)
        position = event.id
      }
      isMore = events.length === pageSize
    }
  }

  async function fanOut(event: FeedEvent): Promise<void> {
    let sent = 0
    for (const watcher of watchers) {
      watcher.offer(event)
      sent += 1
      if (sent % watchersPerTurn === 0) await nextTurn()
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
