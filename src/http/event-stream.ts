import type { Server } from 'bun'
import { jsonHeaders } from './headers.ts'

export const eventStreamHeaders = {
  ...jsonHeaders,
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without this header, nginx would hold messages back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

/** A stream with this many unread messages ends when one more is sent. Its reader may come back. */
const maxUnread = 256
/** A stream ends if it has unread messages at more than this many heartbeats in a row. */
const maxStalledBeats = 2
/**
 * After this time, Bun closes a connection whose reader takes nothing, even if the stream has ended. It must be longer
 * than the time between two heartbeats. It is set only once: setting it again would require every stream to keep its
 * request, which takes half a kilobyte.
 */
const secondsWithoutProgress = 24

/** The client that requests a stream. */
export type Reader = {
  readonly address: string
  readonly request: Request
  readonly server: Server<unknown> | null
}

/** The functions that all streams of a process share. */
export type Keeper = {
  /** Frees the permit of a stream. */
  free(stream: EventStream): void
  /** Called when a fault of this server has ended a stream. */
  onFailure(error: unknown): void
}

/**
 * A stream to one reader, and the underlying source of its own `body`, which calls `start`, `pull` and `cancel`. It is
 * a class because closures would take a kilobyte for each of ten thousand streams.
 */
export class EventStream {
  readonly address: string
  readonly body: ReadableStream<Uint8Array>
  /** Its `onEnd` is called once, when either side has ended the stream. */
  owner: { onEnd(): void } | null = null
  isOpen = true
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null
  private stalledBeats = 0
  private whenRead: (() => void) | null = null

  constructor(
    { address, request, server }: Reader,
    private readonly endsAt: number,
    private readonly keeper: Keeper,
  ) {
    this.address = address
    this.body = new ReadableStream<Uint8Array>(this, { highWaterMark: 0 })
    server?.timeout(request, secondsWithoutProgress)
  }

  /** Sends a message, or ends the stream if its reader is too slow. */
  send(frame: Uint8Array): void {
    if (!this.isOpen) return
    if (this.unread >= maxUnread) this.close()
    else this.controller?.enqueue(frame)
  }

  /** Whether fewer than half of `maxUnread` messages are unread. */
  get hasRoom(): boolean {
    return this.unread < maxUnread / 2
  }

  /** Resolves when the reader has read everything, or when the stream has ended. */
  allRead(): Promise<void> {
    if (!this.isOpen || this.unread === 0) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.whenRead = resolve
    return promise
  }

  /** Ends the stream. The reader reconnects by itself. A higher `turn` (0 to 1) makes it wait longer. */
  close(turn = Math.random()): void {
    if (!this.isOpen) return
    this.end()
    this.controller?.enqueue(goodbye(turn))
    this.controller?.close()
  }

  /** Ends the stream because of a fault of this server. The reader comes back and asks for what it missed. */
  fail(error: unknown): void {
    this.close()
    this.keeper.onFailure(error)
  }

  /** Sends a heartbeat, or ends the stream if its time is up or its reader has stopped reading. */
  beat(now: number): void {
    this.stalledBeats = this.unread > 0 ? this.stalledBeats + 1 : 0
    if (this.stalledBeats > maxStalledBeats || now >= this.endsAt) this.close()
    else this.send(heartbeat)
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller
  }

  /** Everything in the body has been read. */
  pull(): void {
    this.whenRead?.()
    this.whenRead = null
  }

  /** The reader has left, maybe before anything was sent. */
  cancel(): void {
    this.end()
  }

  private get unread(): number {
    return -(this.controller?.desiredSize ?? 0)
  }

  private end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    // First, because the calls after it could throw.
    this.keeper.free(this)
    this.owner?.onEnd()
    this.whenRead?.()
  }
}

const encoder = new TextEncoder()

/** How long a reader waits before it comes back. Even the shortest wait is long enough for a restart. */
const retryFromMs = 3_000
const retryToMs = 8_000

// hx-sse, htmx's extension for streams, never passes on comments. It passes a message on to the page only if it has an
// event name or data, and reads `retry` only from those messages. EventSource passes on only messages with a `data`
// line, but reads `id` and `retry` from all.

/** A page that receives none of these knows that it has lost the server. */
const heartbeat = encoder.encode(': still here\nevent: heartbeat\ndata: \n\n')

/** Tells the reader that it has everything up to this id, even if the filter of the stream leaves out that event. */
export function caughtUp(id: number): Uint8Array {
  return encoder.encode(`event: caught-up\nid: ${id}\n\n`)
}

/** A message. Each line of the data becomes a `data` line, so that a user's text cannot begin another message. */
export function frame({ id, event, data }: { id?: number; event?: string; data: string }): Uint8Array {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`),
  ]
  return encoder.encode(`${lines.join('\n')}\n\n`)
}

/** The first message: the id after which the stream starts, and a random wait before the reader reconnects. */
export function opening(id: number): Uint8Array {
  return encoder.encode(`event: opening\nretry: ${retryMs(Math.random())}\nid: ${id}\n\n`)
}

/** The last message. It sets the wait again: the shortest for `turn` 0, the longest for 1. */
function goodbye(turn: number): Uint8Array {
  return encoder.encode(`: goodbye\nevent: goodbye\nretry: ${retryMs(turn)}\n\n`)
}

function retryMs(turn: number): number {
  return retryFromMs + Math.floor(turn * (retryToMs - retryFromMs))
}

/** Wraps `make`, so that the frame of each message object is made only once for all its readers. */
export function madeOnce<Of extends object>(make: (message: Of) => Uint8Array): (message: Of) => Uint8Array {
  const frames = new WeakMap<Of, Uint8Array>()
  return (message) => frames.getOrInsertComputed(message, make)
}
