import { type FeedFilter, wholeFeed } from '../../../src/domain/feed-event.ts'
import type { LiveFeed } from '../../../src/live/live-feed.ts'
import type { FeedMessage, Watcher } from '../../../src/live/watcher.ts'

export const everything = wholeFeed

/** Somebody who watches a feed and writes down all that they receive. */
export type Diary = {
  readonly received: readonly FeedMessage[]
  /** The kinds and ids, such as "position 3", "announced 4", "gap". */
  readonly lines: readonly string[]
  /** The ids of the events alone. */
  readonly ids: readonly number[]
  stop(): void
}

/** Begins to watch; the diary is there at once, `begun` resolves or rejects as the feed does. */
export function keepDiary(
  feed: LiveFeed,
  { after = null, filter = everything }: { after?: number | null; filter?: FeedFilter } = {},
): { diary: Diary; begun: Promise<void> } {
  const received: FeedMessage[] = []
  let watcher: Watcher | null = null
  const diary: Diary = {
    received,
    get lines() {
      return received.map((one) => ('id' in one ? `${one.kind} ${one.id}` : one.kind))
    },
    get ids() {
      return received.flatMap((one) => (one.kind === 'announced' || one.kind === 'withdrawn' ? [one.id] : []))
    },
    stop() {
      if (watcher !== null) feed.unwatch(watcher)
    },
  }
  const receiver = { receive: (one: FeedMessage) => received.push(one) }
  const begun = feed.watch({ filter, after, receiver }).then((begun) => {
    watcher = begun
  })
  return { diary, begun }
}

/** Watches a feed, from the moment on that it has begun. */
export async function watch(...how: Parameters<typeof keepDiary>): Promise<Diary> {
  const { diary, begun } = keepDiary(...how)
  await begun
  return diary
}
