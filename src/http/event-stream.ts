import type { Server } from 'bun'
import { goodbye, heartbeat } from './event-frame.ts'

/** A reader with this many messages unread is too slow: its stream ends, and it may come back. */
const maxUnread = 256
/** A reader that left something unread at more heartbeats in a row than this is gone. */
const maxStalledBeats = 2
/** Seconds that the rest of an ended stream may take to be read without any progress. */
const secondsForRest = 4

/** Whom a stream goes to; `address` is what places are counted by. */
export type Reader = {
  readonly address: string
  readonly request: Request
  readonly server: Server<unknown> | null
}

/** Who sends through a stream. Hears once that it has ended, whoever ended it and however. */
export type Owner = { onEnd(): void }

/**
 * An open stream to one reader, and the source of its own body. A class, since ten thousand are held at once:
 * closures for all that it does would weigh a kilobyte a reader.
 */
export class EventStream {
  readonly reader: Reader
  readonly body: ReadableStream<Uint8Array>
  owner: Owner | null = null
  isOpen = true
  private readonly endsAt: number
  private readonly free: (stream: EventStream) => void
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null
  private stalledBeats = 0
  private whenRead: (() => void) | null = null

  constructor(reader: Reader, endsAt: number, free: (stream: EventStream) => void) {
    this.reader = reader
    this.endsAt = endsAt
    this.free = free
    this.body = new ReadableStream<Uint8Array>(this, { highWaterMark: 0 })
    reader.server?.timeout(reader.request, 0)
  }

  /** Sends a message, or ends the stream of a reader that is too slow for it. */
  send(frame: Uint8Array): void {
    if (!this.isOpen) return
    if (this.unread >= maxUnread) this.close()
    else this.controller?.enqueue(frame)
  }

  /** Whether the reader keeps up, by a wide margin. */
  get hasRoom(): boolean {
    return this.unread < maxUnread / 2
  }

  /** Resolves when all that was sent is read, or the stream has ended. */
  allRead(): Promise<void> {
    if (!this.isOpen || this.unread === 0) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.whenRead = resolve
    return promise
  }

  /** Ends it from our side; the reader comes back by itself, the later the higher `turn` is (0 to 1). */
  close(turn = Math.random()): void {
    if (!this.isOpen) return
    this.end()
    this.controller?.enqueue(goodbye(turn))
    this.controller?.close()
  }

  /** The heartbeat, which ends what is over and what nobody reads. */
  beat(now: number): void {
    this.stalledBeats = this.unread > 0 ? this.stalledBeats + 1 : 0
    if (this.stalledBeats > maxStalledBeats || now >= this.endsAt) this.close()
    else this.send(heartbeat)
  }

  /** Called when the body is first read. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller
  }

  /** Called when the body's reader has read everything and waits for more. */
  pull(): void {
    this.whenRead?.()
    this.whenRead = null
  }

  /** Called when the body's reader is gone, even before anything was sent. */
  cancel(): void {
    this.end()
  }

  private get unread(): number {
    return -(this.controller?.desiredSize ?? 0)
  }

  /** Frees the place before anything that could throw. */
  private end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.free(this)
    this.owner?.onEnd()
    this.whenRead?.()
    // What a reader leaves unread would otherwise hold its connection for ever.
    this.reader.server?.timeout(this.reader.request, secondsForRest)
  }
}
