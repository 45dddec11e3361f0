import type { Server } from 'bun'
import { jsonHeaders } from './headers.ts'

export const eventStreamHeaders = {
  ...jsonHeaders,
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without this header, nginx would hold messages back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

/** The largest number of unread messages in a stream. One more ends the stream, and the reader may come back. */
const maxUnread = 256
/** A stream may have unread messages at this many heartbeats in a row. If it has some at the next one too, it ends. */
const maxStalledBeats = 2
/**
 * Bun closes a connection whose reader takes nothing for this many seconds, even after the stream has ended. This must
 * be longer than the time between two heartbeats. This timeout is set only once, when the stream opens: to set it
 * again, every stream would have to keep its request, which takes half a kilobyte.
 */
const secondsWithoutProgress = 24

/** The time between two heartbeats, which keep proxies from closing a silent stream. */
export const usualHeartbeatMs = 15_000
/** About how long a stream lives. Its reader then reconnects and gets a new one. */
export const usualLifeMs = 30 * 60_000

/** The client that requests a stream. The number of streams is limited for each `address`. */
export type Reader = {
  readonly address: string
  readonly request: Request
  readonly server: Server<unknown> | null
}

/**
 * The producer of a stream's messages. `onEnd` is called once, whichever side ends the stream, but not if the stream
 * has ended before it had an owner.
 */
export type Owner = { onEnd(): void }

/** The functions that all streams of a process share. */
export type Keeper = {
  /** Frees the slot of a stream that has ended. */
  free(stream: EventStream): void
  /** Called when a fault of this server has ended a stream. */
  onFailure(error: unknown): void
}

/**
 * A stream to one reader. It is also the underlying source of its own `body`, which calls `start`, `pull` and `cancel`.
 * It is a class because there may be ten thousand streams, and closures instead of methods would take a kilobyte for
 * each stream.
 */
export class EventStream {
  readonly address: string
  readonly body: ReadableStream<Uint8Array>
  owner: Owner | null = null
  isOpen = true
  private readonly endsAt: number
  private readonly keeper: Keeper
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null
  private stalledBeats = 0
  private whenRead: (() => void) | null = null

  constructor({ address, request, server }: Reader, endsAt: number, keeper: Keeper) {
    this.address = address
    this.endsAt = endsAt
    this.keeper = keeper
    this.body = new ReadableStream<Uint8Array>(this, { highWaterMark: 0 })
    server?.timeout(request, secondsWithoutProgress)
  }

  /** Sends a message, or ends the stream if its reader is too slow. */
  send(frame: Uint8Array): void {
    if (!this.isOpen) return
    if (this.unread >= maxUnread) this.close()
    else this.controller?.enqueue(frame)
  }

  /** Whether the number of unread messages is below half of the limit. */
  get hasRoom(): boolean {
    return this.unread < maxUnread / 2
  }

  /** Resolves when the reader has read everything that was sent, or when the stream has ended. */
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

  /** Sends a heartbeat, or ends the stream if its time is over or its reader has stopped reading. */
  beat(now: number): void {
    this.stalledBeats = this.unread > 0 ? this.stalledBeats + 1 : 0
    if (this.stalledBeats > maxStalledBeats || now >= this.endsAt) this.close()
    else this.send(heartbeat)
  }

  /** Called when the body is constructed. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller
  }

  /** Called when everything in the body has been read and the reader waits for more. */
  pull(): void {
    this.whenRead?.()
    this.whenRead = null
  }

  /** Called when the reader has left, even if nothing has been sent yet. */
  cancel(): void {
    this.end()
  }

  private get unread(): number {
    return -(this.controller?.desiredSize ?? 0)
  }

  private end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    // First, because the calls after it could throw, and the slot would then stay taken.
    this.keeper.free(this)
    this.owner?.onEnd()
    this.whenRead?.()
  }
}

const encoder = new TextEncoder()

/** The bounds of the wait before a reader comes back. Even the shortest is long enough for a restart. */
const retryFromMs = 3_000
const retryToMs = 8_000

/**
 * A page that receives no heartbeat knows that it has lost the server. hx-sse (htmx's extension for streams) passes no
 * comments on to the page, and EventSource passes on no event without a `data` line. So the heartbeat is an event with
 * an empty `data` line.
 */
export const heartbeat = encoder.encode(': still here\nevent: heartbeat\ndata: \n\n')

/**
 * The message that tells the reader that it has everything up to an id. The event with this id may be outside the
 * filter of the stream. The message has no `data` line: hx-sse passes it on, and EventSource only stores its id.
 */
export function caughtUp(id: number): Uint8Array {
  return encoder.encode(`event: caught-up\nid: ${id}\n\n`)
}

type Message = { readonly id?: number; readonly event?: string; readonly data: string }

/**
 * A message of an event stream. Each line of the data becomes a `data` line, so that text of a user can neither end the
 * message nor begin another one.
 */
export function frame({ id, event, data }: Message): Uint8Array {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return encoder.encode(
    `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`,
  )
}

/**
 * The first message. It has the id after which the stream starts, and how long the reader has to wait before it
 * reconnects. The wait is random, so that readers do not all reconnect at once. hx-sse reads `retry` only from messages
 * that it passes on, and passes on only those with an event name or data. So this message has an event name.
 */
export function opening(id: number): Uint8Array {
  return encoder.encode(`event: opening\nretry: ${retryMs(Math.random())}\nid: ${id}\n\n`)
}

/**
 * The last message. It sets the wait again: the shortest for `turn` 0, the longest for 1. It has no `data` line: hx-sse
 * passes it on, and EventSource only reads its `retry`.
 */
export function goodbye(turn: number): Uint8Array {
  return encoder.encode(`: goodbye\nevent: goodbye\nretry: ${retryMs(turn)}\n\n`)
}

function retryMs(turn: number): number {
  return retryFromMs + Math.floor(turn * (retryToMs - retryFromMs))
}

/** Caches the frame of each message object, so that it is made once for all readers of the message. */
export function madeOnce<Of extends object>(make: (message: Of) => Uint8Array): (message: Of) => Uint8Array {
  const frames = new WeakMap<Of, Uint8Array>()
  return (message) => {
    const known = frames.get(message)
    if (known !== undefined) return known
    const made = make(message)
    frames.set(message, made)
    return made
  }
}
