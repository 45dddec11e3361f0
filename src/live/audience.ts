import type { FeedEvent } from '../domain/feed-event.ts'
import type { News, Watcher } from './watcher.ts'

/** What one turn of the event loop sends, so that a pipeline is not kept waiting by a crowd of watchers. */
const watchersPerTurn = 12

export type Audience = {
  readonly size: number
  add(watcher: Watcher): void
  remove(watcher: Watcher): void
  /** Offers an event to all, also to those who join meanwhile. */
  offer(event: FeedEvent): Promise<void>
  tell(news: News): void
  clear(): void
}

/** All who watch. Who cannot receive is let go, and does no harm to the others. */
export function audience(): Audience {
  const watchers = new Set<Watcher>()

  return {
    get size() {
      return watchers.size
    },
    add: (watcher) => watchers.add(watcher),
    remove: (watcher) => watchers.delete(watcher),
    async offer(event) {
      let sent = 0
      for (const watcher of watchers) {
        reach(watcher, () => watcher.offer(event))
        sent += 1
        if (sent % watchersPerTurn === 0) await nextTurn()
      }
    },
    tell(news) {
      for (const watcher of watchers) reach(watcher, () => watcher.tell(news))
    },
    clear: () => watchers.clear(),
  }

  function reach(watcher: Watcher, send: () => void): void {
    try {
      send()
    } catch {
      watchers.delete(watcher)
    }
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
