import { type PlaceLimits, Places } from './address-limits.ts'
import { EventStream, type Reader } from './event-stream.ts'

type Options = PlaceLimits & { readonly heartbeatMs?: number; readonly lifeMs?: number }

export type EventStreams = ReturnType<typeof eventStreams>

/** All open streams of the process: limited by address and in all, with one heartbeat and one goodbye. */
export function eventStreams({ heartbeatMs = 15_000, lifeMs = 30 * 60_000, ...limits }: Options) {
  const open = new Set<EventStream>()
  const places = new Places(limits)
  let isClosing = false
  const timer = setInterval(() => {
    const now = Date.now()
    for (const stream of open) stream.beat(now)
  }, heartbeatMs)
  timer.unref()

  const free = (stream: EventStream): void => {
    if (open.delete(stream)) places.free(stream.reader.address)
  }

  return {
    get count() {
      return open.size
    },

    /** Whether no reader at all gets a stream now. */
    get isFull() {
      return places.areTaken
    },

    /** Opens a stream, which frees its place when it ends; null if this reader gets none now. */
    open(reader: Reader): EventStream | null {
      if (!places.hasRoomFor(reader.address)) return null
      const endsAt = Date.now() + lifeMs * (0.9 + Math.random() * 0.2)
      const stream = new EventStream(reader, endsAt, free)
      places.take(reader.address)
      open.add(stream)
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
