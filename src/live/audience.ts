import type { FeedEvent } from '../domain/feed-event.ts'
import type { FeedState, Watcher } from './watcher.ts'

/** Sent in one turn of the event loop, so that a crowd of watchers keeps no pipeline waiting. */
const watchersPerTurn = 12

export type Audience = {
  readonly size: number
  add(watcher: Watcher): void
  remove(watcher: Watcher): void
  /** Offers an event to every watcher, including those who join meanwhile. */
  offer(event: FeedEvent): Promise<void>
  notify(state: FeedState): void
  /** Lets every watcher go on from an earlier id. */
  turnBack(id: number): void
  clear(): void
}

/** Every open watcher. One that throws is dropped; the others still get the event. */
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
    notify(state) {
      for (const watcher of watchers) reach(watcher, () => watcher.notify(state))
    },
    turnBack(id) {
      for (const watcher of watchers) reach(watcher, () => watcher.turnBack(id))
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
