import { type FeedEvent, type FeedPart, isIn } from '../domain/feed/feed.ts'
import { type LogPage, nextTurn, perTurn, type Reading } from './catch-up.ts'

/** A message to a reader: where it starts, an event, a gap in the events, or a change of the feed state. */
export type FeedMessage =
  | FeedEvent
  | { readonly kind: 'position'; readonly id: number }
  | { readonly kind: 'gap' | FeedState }

export type FeedState = 'interrupted' | 'resumed'

/** An open stream to a reader. `owner.onEnd` is called once it has ended. */
export type Sink = {
  owner: { onEnd(): void } | null
  readonly isOpen: boolean
  readonly hasRoom: boolean
  send(frame: Uint8Array): void
  /** Resolves when everything that was sent has been read, or the stream has ended. */
  allRead(): Promise<void>
  close(): void
  /** Ends the stream because of an error of ours, and logs it. */
  fail(error: unknown): void
}

export type Following = {
  readonly filter: FeedPart
  /** The id of the last event that the reader has seen; null starts with the next event. */
  readonly after: number | null
  readonly frameOf: (message: FeedMessage) => Uint8Array
  readonly sink: Sink
}

/**
 * Sends a reader every event of a part of the feed, once and in order: pages of the log after `seen` until
 * the last one, then the events that the live feed offers. Ids only grow, so `seen` recognizes an event that was both
 * read and offered. A class, because the closures of ten thousand followers would need more memory than their data.
 */
export class Follower {
  /** The id of the last event that was sent or read, which may belong to another part. */
  seen = 0
  readonly filter: FeedPart
  private readonly frameOf: Following['frameOf']
  private readonly sink: Sink
  private isLive = false
  /** The events offered while a page is read, because the page may lack them; null at all other times. */
  private offered: FeedEvent[] | null = []
  private state: FeedState = 'resumed'
  private sentState: FeedState = 'resumed'

  constructor(
    { filter, frameOf, sink }: Following,
    private readonly reading: Reading,
    private readonly leave: (follower: Follower) => void,
  ) {
    this.filter = filter
    this.frameOf = frameOf
    this.sink = sink
    sink.owner = this
  }

  /** Sends the first page of what was missed, if any was, and goes on by itself. Sends nothing if the log rejects. */
  async begin(seen: number, hasMissed: boolean): Promise<void> {
    this.seen = seen
    const page = hasMissed ? await this.reading.read(this.filter, seen) : null
    this.send({ kind: 'position', id: seen })
    if (page === null) this.goLive()
    else await this.sendPage(page)
    if (!this.isLive) void this.catchUp()
  }

  offer(event: FeedEvent): void {
    if (!isIn(this.filter, event)) return
    if (!this.isLive) this.offered?.push(event)
    else if (this.keepsUp) this.sendEvent(event)
    else {
      this.isLive = false
      void this.catchUp()
    }
  }

  /** Sends whether the feed stalls, but not before the reader has caught up. */
  notify(state: FeedState): void {
    this.state = state
    if (!this.isLive || state === this.sentState) return
    this.sentState = state
    this.send({ kind: state })
  }

  /** Continues from an earlier id after the log was set back: events that were sent since may be gone. */
  turnBack(id: number): void {
    this.seen = this.isLive ? id : Math.min(this.seen, id)
    if (!this.isLive) return
    this.send({ kind: 'position', id })
    if (this.reading.pace === null) this.send({ kind: 'gap' })
  }

  onEnd(): void {
    this.leave(this)
  }

  /** Whether live events may be sent. A reader of pages that is slow gets them in pages instead. */
  private get keepsUp(): boolean {
    return this.reading.pace === null || this.sink.hasRoom
  }

  private async catchUp(): Promise<void> {
    const { pace } = this.reading
    try {
      while (!this.isLive && pace !== null) {
        await this.sink.allRead()
        if (!this.sink.isOpen) return
        await pace(() => this.sendNextPage())
      }
    } catch (error) {
      // The reader comes back and asks for the rest.
      this.sink.fail(error)
    }
  }

  private async sendNextPage(): Promise<void> {
    this.offered = []
    await this.sendPage(await this.reading.read(this.filter, this.seen))
  }

  /** Sends a page, a few events in each turn of the event loop, and goes live after the last page. */
  private async sendPage({ events, seen, isCut, isLast }: LogPage): Promise<void> {
    if (isCut) this.send({ kind: 'gap' })
    for (const [n, event] of events.entries()) {
      if (n % perTurn === perTurn - 1) await nextTurn()
      this.sendEvent(event)
    }
    this.seen = Math.max(this.seen, seen)
    if (isLast) this.goLive()
    else this.offered = null
  }

  /** Sends the events that were offered during the read; from now on each is sent as it is offered. */
  private goLive(): void {
    const offered = this.offered ?? []
    this.offered = null
    for (const event of offered) {
      if (!this.keepsUp) return
      this.sendEvent(event)
    }
    this.isLive = true
    this.notify(this.state)
  }

  private sendEvent(event: FeedEvent): void {
    if (event.id <= this.seen) return
    this.seen = event.id
    this.send(event)
  }

  private send(message: FeedMessage): void {
    try {
      this.sink.send(this.frameOf(message))
    } catch (error) {
      this.sink.fail(error)
    }
  }
}
