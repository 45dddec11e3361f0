import { type FeedEvent, type FeedFilter, isIn } from '../../domain/feed-event.ts'
import type { EventStream, Owner } from '../../http/event-stream.ts'
import type { LiveFeed } from '../../live/live-feed.ts'
import type { FeedMessage, Receiver, Watcher } from '../../live/watcher.ts'

export type Part = { readonly filter: FeedFilter; readonly after: number }

type Options = {
  readonly liveFeed: LiveFeed
  /** Reads the first events of a part of the feed after an id, a page of them; none at its end. */
  readonly readPage: (part: Part) => Promise<readonly FeedEvent[]>
  readonly frameOf: (message: FeedMessage) => Uint8Array
  readonly stream: EventStream
  readonly filter: FeedFilter
}

/**
 * Sends a reader everything after an id, however long ago that was: page after page, each when the one before
 * is read, and at the end of the log the live feed. A reader who falls behind the live feed is sent pages
 * again. A class for the same reason as EventStream.
 */
export class DeploymentStream implements Receiver, Owner {
  private readonly options: Options
  /** The last event that was sent; null before the first where only new ones are wanted. */
  private seen: number | null
  private watcher: Watcher | null = null
  private isBehind = false

  constructor(options: Options, after: number | null) {
    this.options = options
    this.seen = after
    options.stream.owner = this
  }

  /** Sends the first of it. Throws what the log throws; the stream has then ended. */
  async begin(): Promise<void> {
    const { stream, frameOf } = this.options
    if (this.seen !== null) stream.send(frameOf({ kind: 'position', id: this.seen }))
    try {
      if (!(await this.advance())) void this.goOn()
    } catch (error) {
      stream.close()
      throw error
    }
  }

  /** For the live feed: takes a message, unless the reader has to read what came before it first. */
  receive(message: FeedMessage): void {
    const { stream, frameOf } = this.options
    if (message.kind === 'gap' || !stream.hasRoom) this.isBehind = true
    if (this.isBehind) {
      this.leave()
      return
    }
    if ('id' in message) this.seen = message.id
    stream.send(frameOf(message))
  }

  /** For the stream, whoever ended it. */
  onEnd(): void {
    if (this.watcher !== null) this.options.liveFeed.unwatch(this.watcher)
  }

  /** A reader whose stream ends comes back, and asks for what is missing. */
  private async goOn(): Promise<void> {
    const { stream } = this.options
    try {
      do await stream.allRead()
      while (stream.isOpen && !(await this.advance()))
    } catch {
      stream.close()
    }
  }

  /** Sends the next page, or joins the live feed where there is none; whether it has joined. */
  private async advance(): Promise<boolean> {
    const { liveFeed, filter, readPage, frameOf, stream } = this.options
    const page = this.seen === null ? [] : await readPage({ filter, after: this.seen })
    for (const event of page) {
      this.seen = event.id
      if (isIn(filter, event)) stream.send(frameOf(event))
    }
    if (page.length > 0) return false
    this.isBehind = false
    const watcher = await liveFeed.watch({ filter, after: this.seen, receiver: this })
    if (stream.isOpen && !this.isBehind) this.watcher = watcher
    else liveFeed.unwatch(watcher)
    return !this.isBehind
  }

  /** Leaves the live feed, for pages; where it has not joined yet, advance() sees to that. */
  private leave(): void {
    if (this.watcher === null) return
    this.options.liveFeed.unwatch(this.watcher)
    this.watcher = null
    void this.goOn()
  }
}
