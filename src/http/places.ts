import { Problem } from './problem.ts'

/** The most places that may be held at once: by one address, and in total. */
export type PlaceLimits = { readonly perAddress: number; readonly total: number }

/** Counts the places that are held, by address and in total. The code that takes a place has to free it. */
export class Places {
  private readonly limits: PlaceLimits
  private readonly counts = new Map<string, number>()
  private taken = 0

  constructor(limits: PlaceLimits) {
    this.limits = limits
  }

  get areTaken(): boolean {
    return this.taken >= this.limits.total
  }

  hasRoomFor(address: string): boolean {
    return !this.areTaken && this.countOf(address) < this.limits.perAddress
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

  private countOf(address: string): number {
    return this.counts.get(address) ?? 0
  }
}

/**
 * The problem for a request that gets no place: 429 for an address over its limit, 503 only if the whole
 * process is full, because proxies read 503 as a sick server.
 */
export function noPlace(what: string, isFull: boolean): Problem {
  const message = `Too many ${what}. Try again later, or close some.`
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, { headers: { 'Retry-After': '20' } })
}
