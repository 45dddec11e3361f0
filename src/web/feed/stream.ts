import type { Server } from 'bun'
import type { FeedFilter } from '../../domain/feed-event.ts'
import type { EventStream, EventStreams } from '../../http/event-stream.ts'
import type { StreamLimits } from '../../http/stream-limits.ts'
import type { LiveFeed } from '../../live/live-feed.ts'
import type { Received, Receiver, Watcher } from '../../live/watcher.ts'
import { frameOf } from './frames.tsx'

/** How long a stream that has ended may take to be read to its end without any progress. */
const unreadSeconds = 4

/** What all streams of a process share. */
export type FeedStreamParts = {
  readonly liveFeed: LiveFeed
  readonly streams: EventStreams
  readonly limits: StreamLimits
}

/** The live feed on its way to one reader. A class for the same reason as EventStream. */
export class FeedStream implements Receiver {
  private readonly parts: FeedStreamParts
  private readonly request: Request
  private readonly server: Server<unknown> | null
  private readonly address: string
  private readonly stream: EventStream
  private watcher: Watcher | null = null

  /** `address` is what a place of the limits was taken for. */
  constructor(parts: FeedStreamParts, request: Request, server: Server<unknown> | null, address: string) {
    this.parts = parts
    this.request = request
    this.server = server
    this.address = address
    server?.timeout(request, 0)
    this.stream = parts.streams.open(this)
  }

  /** Begins to send what comes after an id, and gives the body to answer with; throws what the log throws. */
  async begin(filter: FeedFilter, after: number | null): Promise<ReadableStream<Uint8Array>> {
    const { liveFeed } = this.parts
    try {
      this.watcher = await liveFeed.watch({ filter, after, receiver: this })
    } catch (error) {
      this.stream.close()
      throw error
    }
    // It may have ended while the feed was being read: then nobody else ends this watching.
    if (!this.stream.isOpen) liveFeed.leave(this.watcher)
    return this.stream.body
  }

  /** A stream that misses an event must not go on as if it had it: its reader comes back and asks for it. */
  receive(received: Received): void {
    try {
      this.stream.send(frameOf(received))
    } catch (error) {
      this.stream.close()
      throw error
    }
  }

  /** For the stream, whoever ended it. */
  onEnd(): void {
    if (this.watcher !== null) this.parts.liveFeed.leave(this.watcher)
    this.parts.limits.free(this.address)
    // What a reader leaves unread would otherwise hold its connection for ever.
    this.server?.timeout(this.request, unreadSeconds)
  }
}
