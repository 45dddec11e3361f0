type Options = { readonly heartbeatMs: number; readonly lifeMs: number }

const defaults: Options = { heartbeatMs: 15_000, lifeMs: 30 * 60_000 }
/** A reader that has this many messages to come is not reading: it is let go, and may come back. */
const maxQueued = 256
/** At so many heartbeats in a row something was still unread: the reader is gone. */
const maxStalledBeats = 2

const encoder = new TextEncoder()
/** An event, for hx-sse does not pass comments on and the page must notice when the network lost the server. */
const heartbeat = encoder.encode(': still here\nevent: heartbeat\n\n')
const goodbye = encoder.encode(': goodbye\n\n')

/**
 * A message of an event stream. Every line break of the data begins a line of its own, so that no text of
 * a user can end the message or begin another one.
 */
export function frame({ id, event, data }: { id?: number; event?: string; data: string }): Uint8Array {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`)
  return encoder.encode(
    `${event === undefined ? '' : `event: ${event}\n`}${id === undefined ? '' : `id: ${id}\n`}${lines.join('')}\n`,
  )
}

/**
 * The first message: how far the reader has seen, and how long to wait before coming back, so that not all
 * do at once. Named, for hx-sse takes `retry` only from a message that it passes on.
 */
export function opening(id: number): Uint8Array {
  const retryMs = 3_000 + Math.floor(Math.random() * 5_000)
  return encoder.encode(`event: opening\nretry: ${retryMs}\nid: ${id}\n\n`)
}

export type EventStreams = ReturnType<typeof eventStreams>

/** All open streams of the process: one heartbeat for all, and one goodbye. */
export function eventStreams({ heartbeatMs, lifeMs }: Options = defaults) {
  const open = new Set<EventStream>()
  let isClosing = false
  const timer = setInterval(() => {
    const now = Date.now()
    for (const stream of open) stream.beat(now)
  }, heartbeatMs)
  timer.unref()

  return {
    get count() {
      return open.size
    },

    /** Opens a stream; its owner hears of the end once, whoever ends it and however. */
    open(owner: Owner): EventStream {
      const endsAt = Date.now() + lifeMs * (0.9 + Math.random() * 0.2)
      const stream = new EventStream(open, endsAt, owner)
      if (isClosing) stream.close()
      return stream
    },

    /** Says goodbye to all: before the server stops, since it waits for what is open. */
    close() {
      isClosing = true
      clearInterval(timer)
      for (const stream of open) stream.close()
    },
  }
}

/** Who opened a stream. */
export type Owner = { onEnd(): void }

/**
 * An open stream to one reader, and the source of its own body. A class, since ten thousand are held at once:
 * closures for all that it does would weigh a kilobyte a reader.
 */
export class EventStream {
  readonly body: ReadableStream<Uint8Array>
  private readonly open: Set<EventStream>
  private readonly endsAt: number
  private readonly owner: Owner
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null
  private stalledBeats = 0

  /** `open` holds the stream for as long as it is open, at the latest until `endsAt`. */
  constructor(open: Set<EventStream>, endsAt: number, owner: Owner) {
    this.open = open
    this.endsAt = endsAt
    this.owner = owner
    this.body = new ReadableStream<Uint8Array>(this, { highWaterMark: 0 })
    open.add(this)
  }

  send(frame: Uint8Array): void {
    if (!this.isOpen) return
    if (this.queued >= maxQueued) this.close()
    else this.controller?.enqueue(frame)
  }

  /** Ends it from our side; the reader comes back by itself. */
  close(): void {
    if (!this.isOpen) return
    this.controller?.enqueue(goodbye)
    this.controller?.close()
    this.end()
  }

  /** The heartbeat, which ends what is over and what nobody reads. */
  beat(now: number): void {
    this.stalledBeats = this.queued > 0 ? this.stalledBeats + 1 : 0
    if (this.stalledBeats > maxStalledBeats || now >= this.endsAt) this.close()
    else this.send(heartbeat)
  }

  /** For the body: it begins. */
  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller
  }

  /** For the body: its reader is gone, also where that was before anything was sent. */
  cancel(): void {
    this.end()
  }

  get isOpen(): boolean {
    return this.open.has(this)
  }

  private get queued(): number {
    return -(this.controller?.desiredSize ?? 0)
  }

  private end(): void {
    if (!this.open.delete(this)) return
    this.owner.onEnd()
  }
}
