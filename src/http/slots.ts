import { Elysia } from 'elysia'
import type { ClientAddress } from './client-address.ts'
import { EventStream, type Keeper, type Reader, usualHeartbeatMs, usualLifeMs } from './event-stream.ts'
import { Problem } from './problem.ts'

/** How many slots may be held at once: by one address, and in total. */
export type SlotLimits = { readonly perAddress: number; readonly total: number }

/** Counts the slots that are held. The code that takes a slot has to free it. */
export class Slots {
  private readonly counts = new Map<string, number>()
  /** For each address, those who wait for a slot of it, in order. */
  private readonly waiting = new Map<string, Set<() => void>>()
  private taken = 0

  constructor(private readonly limits: SlotLimits) {}

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

  /** Takes a slot, if need be once another of this address becomes free. False if none does within this time. */
  async takeWithin(milliseconds: number, address: string): Promise<boolean> {
    if (this.hasRoomFor(address)) {
      this.take(address)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const queue = this.waiting.get(address) ?? new Set()
    this.waiting.set(address, queue)
    const leave = (hasSlot: boolean) => {
      queue.delete(succeed)
      if (queue.size === 0) this.waiting.delete(address)
      resolve(hasSlot)
    }
    const succeed = () => leave(true)
    queue.add(succeed)
    const timer = setTimeout(leave, milliseconds, false)
    return await promise.finally(() => clearTimeout(timer))
  }

  /** If somebody waits for a slot of this address, the slot passes to them. */
  free(address: string): void {
    const [next] = this.waiting.get(address) ?? []
    if (next !== undefined) {
      next()
      return
    }
    const left = this.countOf(address) - 1
    if (left === 0) this.counts.delete(address)
    else this.counts.set(address, left)
    this.taken -= 1
  }

  /** Runs `work` in a slot for this address. If none is free, throws the Problem of `noSlot`: “Too many <what>”. */
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

/** 503 only if all slots are taken, because a proxy may stop using a server that answers 503; otherwise 429. */
export function noSlot(what: string, isFull: boolean): Problem {
  const message = `Too many ${what}. Try again in 20 seconds.`
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, { 'Retry-After': '20' })
}

/** How many polls from one address may be under way. A page polls if it gets no stream. */
export const pollsPerAddress = 30

/**
 * How long a request waits for one of the same address to end. Waiting also slows down clients that retry immediately.
 * A forge sends bursts of calls, gives each about ten seconds, and does not send a refused one again by itself.
 */
const usualPatienceMs = 1_000
const intakePatienceMs = 8_000
const maxWaiting = 5_000

/**
 * Limits how many requests from one address are under way, on every route that is added after this plugin, so that one
 * client cannot fill the queue of the database. A stream counts only until it begins.
 */
export function concurrentRequests(clientAddress: ClientAddress, streamsPerAddress: number) {
  let waiting = 0
  const usual = perAddress(50)
  const intakes = perAddress(50)
  // An address may request all its streams at the same time.
  const streams = perAddress(streamsPerAddress + pollsPerAddress)
  const ofRoute: Readonly<Record<string, Slots | null>> = {
    'GET /feed/live': streams,
    'GET /api/deployments/live': streams,
    // The sign-ins of one address can fill only half of the queue for checking passwords (data/account/passwords.ts).
    'POST /sign-in': perAddress(30),
    'POST /api/in/:kind/:id': intakes,
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
      const patienceMs = slots === intakes ? intakePatienceMs : usualPatienceMs
      waiting += 1
      const hasSlot = await slots.takeWithin(waiting > maxWaiting ? 0 : patienceMs, address)
      waiting -= 1
      if (!hasSlot) {
        const message = 'Your address has too many requests in progress. Try again in 2 seconds.'
        throw new Problem('rate_limited', message, { 'Retry-After': '2' })
      }
      context.freeSlot = () => slots.free(address)
    })
    .onAfterResponse({ as: 'global' }, ({ freeSlot }) => freeSlot?.())
}

function perAddress(perAddress: number): Slots {
  return new Slots({ perAddress, total: Number.POSITIVE_INFINITY })
}

/** How often `close` wakes up to end the streams that are due. */
const turnMs = 50
/** `close` takes at most this many ms for each open stream; their sum is rounded up to a multiple of `turnMs`. */
const streamMs = 1

/** How many streams may be open, unless the operator sets other limits. */
export const usualStreams = { perAddress: 30, total: 10_000 } as const satisfies SlotLimits

type StreamOptions = SlotLimits & {
  readonly heartbeatMs?: number
  readonly lifeMs?: number
  readonly onFailure?: Keeper['onFailure']
}

export type EventStreams = ReturnType<typeof eventStreams>

/** Makes the set of all open streams. One timer sends all heartbeats. */
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

    get isFull() {
      return slots.isFull
    },

    /** Opens a stream, which holds a slot until it ends; null if no slot is free for this reader. */
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
