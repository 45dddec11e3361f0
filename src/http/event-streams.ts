import { EventStream, type Keeper, type Reader } from './event-stream.ts'
import { type PermitLimits, Permits } from './permits.ts'

/** Heartbeats keep proxies from closing a silent stream. */
const defaultHeartbeatMs = 15_000
/** After about this time, the reader of a stream has to reconnect. */
const defaultLifeMs = 30 * 60_000

/** How often `close` wakes up to end the streams that are due. */
const turnMs = 50
/** `close` takes at most this many ms for each open stream; their sum is rounded up to a multiple of `turnMs`. */
const streamMs = 1

type StreamOptions = PermitLimits & {
  readonly heartbeatMs?: number
  readonly lifeMs?: number
  readonly onFailure?: Keeper['onFailure']
}

export type EventStreams = ReturnType<typeof eventStreams>

/** Makes the set of all open streams. One timer sends all heartbeats. */
export function eventStreams({
  heartbeatMs = defaultHeartbeatMs,
  lifeMs = defaultLifeMs,
  onFailure = () => {},
  ...limits
}: StreamOptions) {
  const open = new Set<EventStream>()
  const permits = new Permits(limits)
  let isClosing = false
  const timer = setInterval(() => {
    const now = performance.now()
    for (const stream of open) stream.beat(now)
  }, heartbeatMs)
  timer.unref()

  const keeper: Keeper = {
    free(stream) {
      if (open.delete(stream)) permits.free(stream.address)
    },
    onFailure,
  }

  return {
    get count() {
      return open.size
    },

    get isFull() {
      return permits.isFull
    },

    /** Opens a stream, which holds a permit until it ends; null if no permit is free for this reader. */
    open(reader: Reader): EventStream | null {
      if (!permits.hasRoomFor(reader.address)) return null
      const endsAt = performance.now() + lifeMs * (0.9 + Math.random() * 0.2)
      const stream = new EventStream(reader, endsAt, keeper)
      permits.take(reader.address)
      open.add(stream)
      if (isClosing) stream.close()
      return stream
    },

    /**
     * Ends all streams, because a stopping server waits for its open requests. They end one after another, spread over
     * at most `withinMs`. The later a stream ends, the longer its reader waits, so that the readers do not all come
     * back at once. A stream that is opened from now on ends immediately.
     */
    async close(withinMs = 0) {
      isClosing = true
      // If streams ended in order of age, readers that came together from one address would also leave together.
      const leaving = [...open]
        .map((stream) => ({ stream, place: Math.random() }))
        .sort((one, other) => one.place - other.place)
      const began = performance.now()
      const overMs = Math.min(withinMs, leaving.length * streamMs)
      for (const [index, { stream }] of leaving.entries()) {
        const turn = index / leaving.length
        while (performance.now() < began + turn * overMs) await Bun.sleep(turnMs)
        stream.close(turn)
      }
      clearInterval(timer)
    },
  }
}
