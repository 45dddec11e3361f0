import type { FeedFilter, Search } from '../../domain/feed-event.ts'
import { caughtUp } from '../../http/event-frame.ts'
import type { EventStream, Owner } from '../../http/event-stream.ts'
import type { LiveFeed } from '../../live/live-feed.ts'
import type { FeedMessage, Receiver, Watcher } from '../../live/watcher.ts'
import type { FrameOf } from './frames.tsx'

/** Ties a watcher to a stream: each ends with the other. A class for the same reason as EventStream. */
export class FeedStream implements Receiver, Owner {
  private readonly liveFeed: LiveFeed
  private readonly stream: EventStream
  private readonly frameOf: FrameOf
  private watcher: Watcher | null = null

  constructor(liveFeed: LiveFeed, stream: EventStream, frameOf: FrameOf) {
    this.liveFeed = liveFeed
    this.stream = stream
    this.frameOf = frameOf
    stream.owner = this
  }

  /** Starts sending what comes after an id. Throws what the log throws; the stream has then ended. */
  async begin(filter: FeedFilter | Search, after: number | null): Promise<void> {
    try {
      this.watcher = await this.liveFeed.watch({ filter, after, receiver: this })
      this.stream.send(caughtUp)
    } catch (error) {
      this.stream.close()
      throw error
    }
    // The stream may have ended while the feed was being read: then nobody else ends this watching.
    if (!this.stream.isOpen) this.onEnd()
  }

  /** A stream that fails to send an event must end: its reader comes back and asks for it. */
  receive(message: FeedMessage): void {
    try {
      this.stream.send(this.frameOf(message))
    } catch (error) {
      this.stream.close()
      throw error
    }
  }

  /** For the stream, whoever ended it. */
  onEnd(): void {
    if (this.watcher !== null) this.liveFeed.unwatch(this.watcher)
  }
}
