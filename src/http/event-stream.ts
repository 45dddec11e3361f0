import type { Server } from 'bun'
import { jsonHeaders } from './headers.ts'

export const eventStreamHeaders = {
  ...jsonHeaders,
  'Content-Type': 'text/event-stream; charset=utf-8',
  // Without this header, nginx would hold messages back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

/** A reader with this many unread messages is too slow: its stream ends, and it may come back. */
const maxUnread = 256
/** A stream ends if its reader has unread messages at more than this many heartbeats in a row. */
const maxStalledBeats = 2
/**
 * A connection is closed if its reader takes nothing for this many seconds, before or after the end of the stream;
 * heartbeats come more often. The time is set once, because setting it later would require keeping the request,
 * which takes half a kilobyte for each stream.
 */
const secondsWithoutProgress = 24

/** The time between two heartbeats, which keep proxies from closing a silent stream. */
export const usualHeartbeatMs = 15_000
/** About how long a stream lives; its reader then comes back to a new one. */
export const usualLifeMs = 30 * 60_000

/** The request for a stream, whose slots are counted by `address`. */
export type Reader = {
  readonly address: string
  readonly request: Request
  readonly server: Server<unknown> | null
}

/** The producer behind a stream. `onEnd` is called exactly once, whichever side ends it. */
export type Owner = { onEnd(): void }

/** The functions that all streams of a process share. */
export type Keeper = {
  /** Frees the slot of a stream that has ended. */
  free(stream: EventStream): void
  /** Called with an error of ours that ended a stream. */
  onFailure(error: unknown): void
}

/**
 * An open stream to one reader, and the source of its own body. This is a class because there may be ten
 * thousand streams: closures for all methods would take a kilobyte each.
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

  /** Whether the reader keeps up by a wide margin. */
  get hasRoom(): boolean {
    return this.unread < maxUnread / 2
  }

  /** Resolves when everything that was sent has been read, or the stream has ended. */
  allRead(): Promise<void> {
    if (!this.isOpen || this.unread === 0) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.whenRead = resolve
    return promise
  }

  /** Ends the stream. The reader reconnects by itself: the higher `turn` (0 to 1), the later. */
  close(turn = Math.random()): void {
    if (!this.isOpen) return
    this.end()
    this.controller?.enqueue(goodbye(turn))
    this.controller?.close()
  }

  /** Ends the stream because of an error of ours. The reader comes back and asks for what it missed. */
  fail(error: unknown): void {
    this.close()
    this.keeper.onFailure(error)
  }

  /** Sends the heartbeat, or ends a stream whose time is over or whose reader is gone. */
  beat(now: number): void {
    this.stalledBeats = this.unread > 0 ? this.stalledBeats + 1 : 0
    if (this.stalledBeats > maxStalledBeats || now >= this.endsAt) this.close()
    else this.send(heartbeat)
  }

  /** Called when the body is constructed. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller
  }

  /** Called when the body's reader has read everything and waits for more. */
  pull(): void {
    this.whenRead?.()
    this.whenRead = null
  }

  /** Called when the reader has left, even before anything was sent. */
  cancel(): void {
    this.end()
  }

  private get unread(): number {
    return -(this.controller?.desiredSize ?? 0)
  }

  /** Frees the slot first, because the rest could throw. */
  private end(): void {
    if (!this.isOpen) return
    this.isOpen = false
    this.keeper.free(this)
    this.owner?.onEnd()
    this.whenRead?.()
  }
}

const encoder = new TextEncoder()

/** The wait before a reader comes back: long enough for a restart, and different for each reader. */
const retryFromMs = 3_000
const retryToMs = 8_000

/**
 * Lets a page notice when the server is silent. hx-sse does not pass on comments, and browsers do not pass on
 * events without data, so this is an event with data.
 */
export const heartbeat = encoder.encode(': still here\nevent: heartbeat\ndata: \n\n')
/**
 * Says that the reader has everything up to an id, which may be that of an event outside this stream's
 * filter. The message has no data, so only hx-sse passes it on; browsers still store its id.
 */
export function caughtUp(id: number): Uint8Array {
  return encoder.encode(`event: caught-up\nid: ${id}\n\n`)
}

type Message = { readonly id?: number; readonly event?: string; readonly data: string }

/**
 * A message of an event stream. Each line of the data gets a line of its own, so that no user's text can end
 * the message or begin another one.
 */
export function frame({ id, event, data }: Message): Uint8Array {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return encoder.encode(
    `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`,
  )
}

/**
 * The first message: the id after which the stream starts, and a random time to wait before coming back, so
 * that readers do not all return at once. hx-sse reads `retry` only from events that it passes on, so this one
 * has a name.
 */
export function opening(id: number): Uint8Array {
  return encoder.encode(`event: opening\nretry: ${retryMs(Math.random())}\nid: ${id}\n\n`)
}

/**
 * The last message, which sets the wait again: the shortest at `turn` 0, the longest at 1. It has no data, so
 * only hx-sse passes it on; browsers still read its `retry`.
 */
export function goodbye(turn: number): Uint8Array {
  return encoder.encode(`: goodbye\nevent: goodbye\nretry: ${retryMs(turn)}\n\n`)
}

function retryMs(turn: number): number {
  return retryFromMs + Math.floor(turn * (retryToMs - retryFromMs))
}

/** Caches the frame of a message, so that it is made once for all readers that get the same object. */
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
