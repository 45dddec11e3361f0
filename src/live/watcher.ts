import { type FeedEvent, type FeedFilter, isIn } from '../domain/feed-event.ts'

/** An event, or news of the feed itself: it begins after an id, it left events out, it stands still, it goes on. */
export type Received =
  | FeedEvent
  | { readonly kind: 'position'; readonly id: number }
  | { readonly kind: 'gap' | News }

/** Whether the feed stands still. */
export type News = 'interrupted' | 'resumed'

export type Receive = (received: Received) => void

export type Watcher = {
  /** Takes an event of the tail: kept back while the watcher catches up, sent on or left out after that. */
  offer(event: FeedEvent): void
  /** Passes the news on; not while it catches up, for it has not begun. */
  tell(news: News): void
  /** Ends catching up: sends what was missed after an id, then what was kept back. */
  begin(seen: number, missed: Missed): void
}

/** The events that came after an id; `isCut` where there were more before them. */
export type Missed = { readonly isCut: boolean; readonly events: readonly FeedEvent[] }

/**
 * One who watches a part of the feed. Ids only grow, so whatever overlaps between catching up and the
 * tail is left out by its id: each event is received once, and in order.
 */
export function watcher(filter: FeedFilter, receive: Receive): Watcher {
  let keptBack: FeedEvent[] | null = []
  let lastId = 0

  return {
    offer(event) {
      if (keptBack === null) send(event)
      else keptBack.push(event)
    },
    tell(news) {
      if (keptBack === null) receive({ kind: news })
    },
    begin(seen, { isCut, events }) {
      lastId = seen
      receive({ kind: 'position', id: seen })
      if (isCut) receive({ kind: 'gap' })
      for (const event of [...events, ...(keptBack ?? [])]) send(event)
      keptBack = null
    },
  }

  function send(event: FeedEvent): void {
    if (event.id <= lastId || !isIn(filter, event)) return
    lastId = event.id
    receive(event)
  }
}
