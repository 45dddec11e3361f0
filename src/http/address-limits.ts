/** How many may be held at once: by one address, and in all. */
export type PlaceLimits = { readonly perAddress: number; readonly total: number }

/** Counts the places that are held, by address and in all. Whoever takes one frees it. */
export class Places {
  private readonly limits: PlaceLimits
  private readonly counts = new Map<string, number>()
  private taken = 0

  constructor(limits: PlaceLimits) {
    this.limits = limits
  }

  /** Whether all are taken, so that no address gets one. */
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
