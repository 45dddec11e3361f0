import { type FeedEvent, type FeedFilter, isIn } from '../domain/feed-event.ts'

/** An event, or news of the feed itself: it begins after an id, it left events out, it stands still, it goes on. */
export type Received =
  | FeedEvent
  | { readonly kind: 'position'; readonly id: number }
  | { readonly kind: 'gap' | News }

/** Whether the feed stands still. */
export type News = 'interrupted' | 'resumed'

/** Takes what a watcher receives, at once; where it throws, the watcher is let go. */
export type Receiver = { receive(received: Received): void }

/** The events that came after an id; `isCut` where there were more before them. */
export type Missed = { readonly isCut: boolean; readonly events: readonly FeedEvent[] }

/**
 * One who watches a part of the feed. Ids only grow, so whatever overlaps between catching up and the
 * tail is left out by its id: each event is received once, and in order. A class, since there are ten
 * thousand of these: a closure for each thing that it does would weigh more than all that it knows.
 */
export class Watcher {
  private readonly filter: FeedFilter
  private readonly receiver: Receiver
  private keptBack: FeedEvent[] | null = []
  private lastId = 0

  constructor(filter: FeedFilter, receiver: Receiver) {
    this.filter = filter
    this.receiver = receiver
  }

  /** Takes an event of the tail: kept back while the watcher catches up, sent on or left out after that. */
  offer(event: FeedEvent): void {
    if (this.keptBack === null) this.send(event)
    else this.keptBack.push(event)
  }

  /** Passes the news on; not while it catches up, for it has not begun. */
  tell(news: News): void {
    if (this.keptBack === null) this.receiver.receive({ kind: news })
  }

  /** Ends catching up: sends what was missed after an id, then what was kept back. */
  begin(seen: number, { isCut, events }: Missed): void {
    this.lastId = seen
    this.receiver.receive({ kind: 'position', id: seen })
    if (isCut) this.receiver.receive({ kind: 'gap' })
    for (const event of [...events, ...(this.keptBack ?? [])]) this.send(event)
    this.keptBack = null
  }

  private send(event: FeedEvent): void {
    if (event.id <= this.lastId || !isIn(this.filter, event)) return
    this.lastId = event.id
    this.receiver.receive(event)
  }
}
