import { type FeedEvent, type FeedFilter, isIn, type Search } from '../domain/feed-event.ts'
import type { CatchUp } from './catch-up.ts'

/** What a watcher is sent: its starting position, events, a gap in them, and whether the feed stalls. */
export type FeedMessage =
  | FeedEvent
  | { readonly kind: 'position'; readonly id: number }
  | { readonly kind: 'gap' | FeedState }

export type FeedState = 'interrupted' | 'resumed'

/** Takes what is sent to a watcher without waiting; if it throws, the watcher is dropped. */
export type Receiver = { receive(message: FeedMessage): void }

/**
 * Somebody who watches a part of the feed. Ids only grow, so an overlap of catching up and the tail is left
 * out by its ids: each event is received once and in order. A class, because there are ten thousand of these,
 * and closures would weigh more than their data.
 */
export class Watcher {
  private readonly filter: FeedFilter | Search
  private readonly receiver: Receiver
  private keptBack: FeedEvent[] | null = []
  private lastId = 0

  constructor(filter: FeedFilter | Search, receiver: Receiver) {
    this.filter = filter
    this.receiver = receiver
  }

  /** Takes an event of the tail, and keeps it back while the watcher catches up. */
  offer(event: FeedEvent): void {
    if (this.keptBack === null) this.send(event)
    else this.keptBack.push(event)
  }

  /** Says whether the feed stalls, but not while the watcher catches up. */
  notify(state: FeedState): void {
    if (this.keptBack === null) this.receiver.receive({ kind: state })
  }

  /** Goes on from an earlier id, for the log was set back: what was sent since may be gone. */
  turnBack(id: number): void {
    if (this.keptBack !== null) return
    this.lastId = id
    this.receiver.receive({ kind: 'position', id })
    this.receiver.receive({ kind: 'gap' })
  }

  /** Ends catching up: sends what came after an id, then what was kept back. */
  begin(seen: number, { isCut, events }: CatchUp): void {
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
