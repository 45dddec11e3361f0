type Limits = { readonly perAddress: number; readonly total: number }

export type StreamLimits = ReturnType<typeof streamLimits>

/** Counts the open streams of an address and of the process. */
export function streamLimits({ perAddress, total }: Limits) {
  const counts = new Map<string, number>()
  let taken = 0

  return {
    /** Takes a place for a stream of this address; false where there is none. */
    take(address: string): boolean {
      const count = counts.get(address) ?? 0
      if (count >= perAddress || taken >= total) return false
      counts.set(address, count + 1)
      taken += 1
      return true
    },

    /** Frees a place that was taken for this address. */
    free(address: string): void {
      taken -= 1
      const left = (counts.get(address) ?? 1) - 1
      if (left === 0) counts.delete(address)
      else counts.set(address, left)
    },
  }
}
