import type { SlotLimits } from './concurrency.ts'
import { Slots } from './concurrency.ts'
import type { Keeper, Reader } from './event-stream.ts'
import { EventStream, usualHeartbeatMs, usualLifeMs } from './event-stream.ts'

/** The interval at which `close` ends the streams that are due. */
const turnMs = 50
/** Goodbyes are 1 ms apart: a hundred streams end within a tenth of a second. */
const streamMs = 1

/** How many streams may be open if the operator sets no other number. */
export const usualStreams = { perAddress: 30, total: 10_000 } as const satisfies SlotLimits

type Options = SlotLimits & {
  readonly heartbeatMs?: number
  readonly lifeMs?: number
  readonly onFailure?: Keeper['onFailure']
}

export type EventStreams = ReturnType<typeof eventStreams>

/** All open streams of the process, limited by address and in total. One timer sends all heartbeats. */
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
      return slots.areTaken
    },

    /** Opens a stream, which frees its slot when it ends; null if there is no slot for this reader. */
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
     * Says goodbye to all readers, because a server that stops waits for open requests. The streams end one
     * after the other, spread evenly over at most `withinMs`, and later ones are asked to stay away for
     * longer, so that they do not all return at once. New readers get their goodbye immediately.
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

/** In random order: in order of age, readers that came together from one address would also leave together. */
function shuffled(streams: EventStream[]): EventStream[] {
  for (let n = streams.length - 1; n > 0; n -= 1) {
    const other = Math.floor(Math.random() * (n + 1))
    const [one, two] = [streams[n], streams[other]]
    if (one !== undefined && two !== undefined) [streams[n], streams[other]] = [two, one]
  }
  return streams
}
