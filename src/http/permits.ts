import { Problem } from './problem.ts'

const retrySeconds = 20

/** How many permits may be held at once: by one address, and in total. Whoever makes `Permits` has the numbers. */
export type PermitLimits = { readonly perAddress: number; readonly total: number }

/** Counts the permits that are held. The code that takes a permit has to free it. */
export class Permits {
  private readonly counts = new Map<string, number>()
  /** For each address, those who wait for a permit of it, in order. */
  private readonly waiting = new Map<string, Set<() => void>>()
  private taken = 0

  constructor(private readonly limits: PermitLimits) {}

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

  /** Takes a permit, if need be once another of this address becomes free. False if none does within this time. */
  async takeWithin(milliseconds: number, address: string): Promise<boolean> {
    if (this.hasRoomFor(address)) {
      this.take(address)
      return true
    }
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const queue = this.waiting.getOrInsertComputed(address, () => new Set())
    const leave = (hasPermit: boolean) => {
      queue.delete(succeed)
      if (queue.size === 0) this.waiting.delete(address)
      resolve(hasPermit)
    }
    const succeed = () => leave(true)
    queue.add(succeed)
    const timer = setTimeout(leave, milliseconds, false)
    return await promise.finally(() => clearTimeout(timer))
  }

  /** If somebody waits for a permit of this address, the permit passes to them. */
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

  /** Runs `work` in a permit for this address. If none is free, throws the Problem of `noPermit`: “Too many <what>”. */
  async run<T>(address: string, what: string, work: () => Promise<T>): Promise<T> {
    if (!this.hasRoomFor(address)) throw noPermit(what, this.isFull)
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

/** 503 only if all permits are taken, because a proxy may stop using a server that answers 503; otherwise 429. */
export function noPermit(what: string, isFull: boolean): Problem {
  const message = `Too many ${what}. Try again in ${retrySeconds} seconds.`
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, {
    'Retry-After': String(retrySeconds),
  })
}
