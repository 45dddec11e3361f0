import {
  type FeedEvent,
  type FeedFilter,
  type FeedPart,
  isIn,
  isSearched,
  wholeFeed,
} from '../domain/feed/feed.ts'

/** The stored events (docs/architecture.md#event-log), which it always gives with the oldest first. */
export type EventLog = {
  /** The id of the last event, 0 if there is none. */
  latestId(): Promise<number>
  /** The highest id ever assigned, even to an event that was deleted with its account. */
  highestId(): Promise<number>
  /** The first events of a part of the feed after an id, at most `limit`. */
  readAfter(filter: FeedFilter, id: number, limit: number): Promise<readonly FeedEvent[]>
  /** The last events of a part of the feed after an id, within the limits. */
  readLatest(filter: FeedFilter, id: number, limits: Limits): Promise<readonly FeedEvent[]>
}

/** The most deployments, and the most removals (withdrawals and deleted accounts), that one read returns. */
type Limits = { readonly deployments: number; readonly removals: number }

export const catchUpLimit = 100
/** The most deployments that are filtered for a search, because the log has no index of words. */
const searchedLimit = 1_000
/** The most withdrawals and deletions, each of which is one line. They are not filtered by part. */
const removalsLimit = 500

/** How many events are filtered or rendered in one turn of the event loop: the longest take a few milliseconds. */
export const perTurn = 8

/** Events of a part of the feed after an id, the oldest first. */
export type LogPage = {
  readonly events: readonly FeedEvent[]
  /** The id of the last event that was read, which may belong to another part. */
  readonly seen: number
  /** Whether older events after the requested id were left out; for a search, whether some may have been. */
  readonly isCut: boolean
  readonly isLast: boolean
}

/** Resolves in the next turn of the event loop. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

type LatestLog = Pick<EventLog, 'readLatest'>

/** Reads what a browser page missed after an id, at most `catchUpLimit` deployments. Rejects as the log does. */
export async function readMissed(log: LatestLog, filter: FeedPart, after: number): Promise<LogPage> {
  const looked = isSearched(filter) ? searchedLimit : catchUpLimit
  // Reading one more than is sent shows whether there are more.
  const limits = { deployments: looked + 1, removals: removalsLimit + 1 }
  const read = await log.readLatest(isSearched(filter) ? wholeFeed : filter, after, limits)
  const deployments = read.filter(({ kind }) => kind === 'announced')
  const removals = read.filter(({ kind }) => kind !== 'announced')
  const found = await eventsIn(filter, deployments.slice(-looked))
  const sent = new Set([...found.slice(-catchUpLimit), ...removals.slice(-removalsLimit)])
  return {
    events: read.filter((event) => sent.has(event)),
    seen: read.at(-1)?.id ?? after,
    isCut: deployments.length > looked || found.length > catchUpLimit || removals.length > removalsLimit,
    isLast: true,
  }
}

/** The events that belong to a part, filtered in several turns of the event loop. */
async function eventsIn(part: FeedPart, events: readonly FeedEvent[]): Promise<readonly FeedEvent[]> {
  const found: FeedEvent[] = []
  for (const [n, event] of events.entries()) {
    if (n % perTurn === perTurn - 1) await nextTurn()
    if (isIn(part, event)) found.push(event)
  }
  return found
}

/** How followers read what they missed. */
export type Reading = {
  /** Reads a page of a part after an id. Rejects as the log does. */
  readonly read: (filter: FeedPart, after: number) => Promise<LogPage>
  /** Runs the reading and sending of each page but the first. Null if the first page is always the last. */
  readonly pace: Pace | null
}

type Pace = <T>(work: () => Promise<T>) => Promise<T>

export type Part = { readonly filter: FeedFilter; readonly after: number }

type Pages = {
  /** Reads the first events of a part after an id, at most `pageSize`. */
  readonly readAfter: (part: Part) => Promise<readonly FeedEvent[]>
  readonly pageSize: number
  readonly pace: Pace
}

/** Reads everything page by page, however much there is. */
export function everyPage({ readAfter, pageSize, pace }: Pages): Reading {
  return {
    async read(filter, after) {
      const read = await readAfter({ filter: isSearched(filter) ? wholeFeed : filter, after })
      const events = await eventsIn(filter, read)
      return { events, seen: read.at(-1)?.id ?? after, isCut: false, isLast: read.length < pageSize }
    },
    pace,
  }
}
