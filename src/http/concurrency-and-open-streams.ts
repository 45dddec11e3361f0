import { Elysia } from 'elysia'
import type { ClientAddress } from './client-address.ts'
import type { Keeper, Reader } from './event-stream-and-reconnecting.ts'
import { EventStream, usualHeartbeatMs, usualLifeMs } from './event-stream-and-reconnecting.ts'
import { Problem } from './problem.ts'

/** How many slots may be held at once: by one address, and in total. */
export type SlotLimits = { readonly perAddress: number; readonly total: number }

/** Counts the slots that are held, for each address and in total. The code that takes a slot has to free it. */
export class Slots {
  private readonly limits: SlotLimits
  private readonly counts = new Map<string, number>()
  private taken = 0

  constructor(limits: SlotLimits) {
    this.limits = limits
  }

  get isFull(): boolean {
    return this.taken >= this.limits.total
  }

  hasRoomFor(address: string): boolean {
    return !this.isFull && this.countOf(address) < this.limits.perAddress
  }

  take(address: string): void {
    this.counts.set(address, this.countOf(address) + 1)
    this.taken += 1
  }

  free(address: string): void {
    const left = this.countOf(address) - 1
    if (left === 0) this.counts.delete(address)
    else this.counts.set(address, left)
    this.taken -= 1
  }

  /**
   * Does work in a slot for this address. If no slot is free, throws the problem that `noSlot` makes, with `what` in
   * its sentence “Too many …”.
   */
  async run<T>(address: string, what: string, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoomFor(address)) throw noSlot(what, this.isFull)
    this.take(address)
    try {
      return await work()
    } finally {
      this.free(address)
    }
  }

  private countOf(address: string): number {
    return this.counts.get(address) ?? 0
  }
}

/**
 * The problem for a request that gets no slot: 503 if the whole process is full, otherwise 429. An address over its
 * limit must not get 503, because a proxy may stop using a server that answers 503.
 */
export function noSlot(what: string, isFull: boolean): Problem {
  const message = `Too many ${what}. Try again in 20 seconds.`
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, { 'Retry-After': '20' })
}

type RequestOptions = {
  readonly clientAddress: ClientAddress
  /** How many streams an address may have open. All of them may be requested at the same time. */
  readonly streamsPerAddress: number
}

/** How many polls of one address may be under way. A page polls if it gets no stream. */
export const pollsPerAddress = 30

/** How long a refusal is delayed. While `maxDelayed` refusals are waiting, others are sent immediately. */
const delayMs = 1_000
const maxDelayed = 5_000

/**
 * The plugin that limits how many requests of one address are under way, on every route that is added after it except
 * POST /api. A stream counts only until it begins. The limit keeps one client from filling the queue of the database
 * and from making others wait.
 */
export function concurrentRequests({ clientAddress, streamsPerAddress }: RequestOptions) {
  let delayed = 0
  const usual = perAddress(50)
  const streams = perAddress(streamsPerAddress + pollsPerAddress)
  const ofRoute: Readonly<Record<string, Slots | null>> = {
    'GET /feed/live': streams,
    'GET /api/deployments/live': streams,
    // One address can fill only half of the queue for checking passwords (data/account/passwords.ts).
    'POST /sign-in': perAddress(30),
    // Unlimited: many pipelines share an address, and one database statement records many of their calls.
    'POST /api': null,
  }

  return new Elysia({ name: 'concurrent-requests' })
    .decorate('freeSlot', null as (() => void) | null)
    .onTransform({ as: 'global' }, async (context) => {
      const { request, route, server } = context
      const { [`${request.method} ${route}`]: slots = usual } = ofRoute
      if (slots === null) return
      const address = clientAddress(request, server)
      if (!slots.hasRoomFor(address)) throw await refused()
      slots.take(address)
      context.freeSlot = () => slots.free(address)
    })
    .onAfterResponse({ as: 'global' }, ({ freeSlot }) => freeSlot?.())

  /** The problem for a request over the limit. It is delayed, so that clients that retry at once cause little load. */
  async function refused(): Promise<Problem> {
    if (delayed < maxDelayed) {
      delayed += 1
      await Bun.sleep(delayMs)
      delayed -= 1
    }
    return new Problem(
      'rate_limited',
      'Your address has too many requests in progress. Try again in 2 seconds.',
      { 'Retry-After': '2' },
    )
  }
}

function perAddress(perAddress: number): Slots {
  return new Slots({ perAddress, total: Number.POSITIVE_INFINITY })
}

/** How often `close` wakes up to end the streams that are due. */
const turnMs = 50
/** `close` takes at most this long for each stream: a tenth of a second for a hundred streams. */
const streamMs = 1

/** How many streams may be open, unless the operator sets other limits. */
export const usualStreams = { perAddress: 30, total: 10_000 } as const satisfies SlotLimits

type StreamOptions = SlotLimits & {
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
}: StreamOptions) {
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
