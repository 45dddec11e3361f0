import type { SlotLimits } from './concurrency.ts'
import { Slots } from './concurrency.ts'
import type { Keeper, Reader } from './event-stream-and-reconnecting.ts'
import { EventStream, usualHeartbeatMs, usualLifeMs } from './event-stream-and-reconnecting.ts'

/** How often `close` wakes up to end the streams that are due. */
const turnMs = 50
/** `close` takes at most this long for each stream: a tenth of a second for a hundred streams. */
const streamMs = 1

/** How many streams may be open, unless the operator sets other limits. */
export const usualStreams = { perAddress: 30, total: 10_000 } as const satisfies SlotLimits

type Options = SlotLimits & {
  readonly heartbeatMs?: number
  readonly lifeMs?: number
  readonly onFailure?: Keeper['onFailure']
}

export type EventStreams = ReturnType<typeof eventStreams>

/** Makes the set of all open streams, which are limited by address and in total. One timer sends all heartbeats. */
export function eventStreams({
  heartbeatMs = usualHeartbeatMs,
  lifeMs = usualLifeMs,
  onFailure = () => {},
  ...limits
}: Options) {
  const open = new Set<EventStream>()
  const slots = new Slots(limits)
  let isClosing = false
  const timer = setInterval(() => {
    const now = performance.now()
    for (const stream of open) stream.beat(now)
  }, heartbeatMs)
  timer.unref()

  const keeper: Keeper = {
    free(stream) {
      if (open.delete(stream)) slots.free(stream.address)
    },
    onFailure,
  }

  return {
    get count() {
      return open.size
    },

    /** Whether the process has reached its limit of streams. */
    get isFull() {
      return slots.isFull
    },

    /** Opens a stream; null if there is no slot for this reader. The slot becomes free when the stream ends. */
    open(reader: Reader): EventStream | null {
      if (!slots.hasRoomFor(reader.address)) return null
      const endsAt = performance.now() + lifeMs * (0.9 + Math.random() * 0.2)
      const stream = new EventStream(reader, endsAt, keeper)
      slots.take(reader.address)
      open.add(stream)
      if (isClosing) stream.close()
      return stream
    },

    /**
     * Ends all streams, because a stopping server waits for its open requests. The streams end one after another,
     * spread evenly over at most `withinMs`. The later a stream ends, the longer its reader is asked to wait, so that
     * readers do not all come back at once. A stream that is opened from now on ends immediately.
     */
    async close(withinMs = 0) {
      isClosing = true
      const leaving = shuffled([...open])
      const began = performance.now()
      const overMs = Math.min(withinMs, leaving.length * streamMs)
      for (const [place, stream] of leaving.entries()) {
        const turn = place / leaving.length
        while (performance.now() < began + turn * overMs) await Bun.sleep(turnMs)
        stream.close(turn)
      }
      clearInterval(timer)
    },
  }
}

/** Shuffles streams. In order of age, readers that came together from one address would also leave together. */
function shuffled(streams: EventStream[]): EventStream[] {
  for (let n = streams.length - 1; n > 0; n -= 1) {
    const other = Math.floor(Math.random() * (n + 1))
    const [one, two] = [streams[n], streams[other]]
    if (one !== undefined && two !== undefined) [streams[n], streams[other]] = [two, one]
  }
  return streams
}
