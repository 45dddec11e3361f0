import { type FeedFilter, wholeFeed } from '../../../src/domain/feed/feed.ts'
import type { FeedMessage, Sink } from '../../../src/live/follower.ts'
import type { LiveFeed } from '../../../src/live/live-feed.ts'

export const everything = wholeFeed

/** A watcher of a feed that records what it receives. */
export type Diary = {
  readonly received: readonly FeedMessage[]
  /** The kinds and ids, such as "position 3", "announced 4", "gap". */
  readonly lines: readonly string[]
  /** The ids of the events alone. */
  readonly ids: readonly number[]
  stop(): void
}

/** Starts to watch. The diary exists at once; `begun` resolves or rejects as the feed does. */
export function keepDiary(
  feed: LiveFeed,
  { after = null, filter = everything }: { after?: number | null; filter?: FeedFilter } = {},
): { diary: Diary; begun: Promise<void> } {
  const received: FeedMessage[] = []
  const sink = sinkOf()
  const diary: Diary = {
    received,
    get lines() {
      return received.map((one) => ('id' in one ? `${one.kind} ${one.id}` : one.kind))
    },
    get ids() {
      return received.flatMap((one) => (one.kind === 'announced' || one.kind === 'withdrawn' ? [one.id] : []))
    },
    stop() {
      sink.owner?.onEnd()
    },
  }
  const frameOf = (message: FeedMessage) => {
    received.push(message)
    return new Uint8Array()
  }
  const begun = feed.follow({ filter, after, frameOf, sink }).then(() => {})
  return { diary, begun }
}

/** An open stream whose reader keeps up. */
export function sinkOf(options: Partial<Sink> = {}): Sink {
  return {
    owner: null,
    isOpen: true,
    hasRoom: true,
    send: () => {},
    allRead: async () => {},
    close: () => {},
    fail(error) {
      throw error
    },
    ...options,
  }
}

/** Watches a feed; resolves once it has begun. */
export async function watch(...how: Parameters<typeof keepDiary>): Promise<Diary> {
  const { diary, begun } = keepDiary(...how)
  await begun
  return diary
}
