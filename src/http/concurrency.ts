import { Elysia } from 'elysia'
import type { ClientAddress } from './client-address.ts'
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
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, { headers: { 'Retry-After': '20' } })
}

type Options = {
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
export function concurrentRequests({ clientAddress, streamsPerAddress }: Options) {
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
      { headers: { 'Retry-After': '2' } },
    )
  }
}

function perAddress(perAddress: number): Slots {
  return new Slots({ perAddress, total: Number.POSITIVE_INFINITY })
}
