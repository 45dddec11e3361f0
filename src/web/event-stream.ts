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

/** An open stream to one reader. */
export type EventStream = {
  send(frame: Uint8Array): void
  /** Ends it from our side; the reader comes back by itself. */
  close(): void
}

type OpenStream = EventStream & { beat(now: number): void }

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
  const open = new Set<OpenStream>()
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

    /** Opens a stream; `onEnd` is called once, whoever ends it and however. */
    open(signal: AbortSignal, onEnd: () => void): { body: ReadableStream<Uint8Array>; stream: EventStream } {
      const endsAt = Date.now() + lifeMs * (0.9 + Math.random() * 0.2)
      let controller: ReadableStreamDefaultController<Uint8Array>
      let stalledBeats = 0
      const body = new ReadableStream<Uint8Array>(
        {
          start(started) {
            controller = started
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      )
      const stream: OpenStream = {
        send(bytes) {
          if (!open.has(stream)) return
          if (queued() >= maxQueued) close()
          else controller.enqueue(bytes)
        },
        close,
        beat(now) {
          stalledBeats = queued() > 0 ? stalledBeats + 1 : 0
          if (stalledBeats > maxStalledBeats || now >= endsAt) close()
          else stream.send(heartbeat)
        },
      }
      open.add(stream)
      signal.addEventListener('abort', end)
      if (signal.aborted) end()
      if (isClosing) close()
      return { body, stream }

      function queued(): number {
        return -(controller.desiredSize ?? 0)
      }

      function close(): void {
        if (!open.has(stream)) return
        controller.enqueue(goodbye)
        controller.close()
        end()
      }

      /** A client that is gone shows by `cancel`, by `abort` or by both. */
      function end(): void {
        if (!open.delete(stream)) return
        signal.removeEventListener('abort', end)
        onEnd()
      }
    },

    /** Says goodbye to all: before the server stops, since it waits for what is open. */
    close() {
      isClosing = true
      clearInterval(timer)
      for (const stream of open) stream.close()
    },
  }
}
