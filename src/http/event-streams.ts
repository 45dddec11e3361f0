import { type PlaceLimits, Places } from './address-limits.ts'
import { EventStream, type Reader } from './event-stream.ts'

/** Streams that end are looked at this often. */
const turnMs = 50
/** So few that return in a while are no crowd: of a hundred streams, the last one ends after a tenth of a second. */
const streamMs = 1

type Options = PlaceLimits & { readonly heartbeatMs?: number; readonly lifeMs?: number }

export type EventStreams = ReturnType<typeof eventStreams>

/** All open streams of the process: limited by address and in all, with one heartbeat and goodbyes in turns. */
export function eventStreams({ heartbeatMs = 15_000, lifeMs = 30 * 60_000, ...limits }: Options) {
  const open = new Set<EventStream>()
  const places = new Places(limits)
  let isClosing = false
  const timer = setInterval(() => {
    const now = performance.now()
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
      const endsAt = performance.now() + lifeMs * (0.9 + Math.random() * 0.2)
      const stream = new EventStream(reader, endsAt, free)
      places.take(reader.address)
      open.add(stream)
      if (isClosing) stream.close()
      return stream
    },

    /**
     * Says goodbye to all, before the server stops, since it waits for what is open. They end in turns, evenly
     * over a time of at most `withinMs`, and whoever ends later is told to stay away for longer, so that they do
     * not all return at once. Who comes meanwhile is told goodbye at once.
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

/** In an order by chance: by their age, those of one address, who came together, would also leave together. */
function shuffled(streams: EventStream[]): EventStream[] {
  for (let n = streams.length - 1; n > 0; n -= 1) {
    const other = Math.floor(Math.random() * (n + 1))
    const [one, two] = [streams[n], streams[other]]
    if (one !== undefined && two !== undefined) [streams[n], streams[other]] = [two, one]
  }
  return streams
}
