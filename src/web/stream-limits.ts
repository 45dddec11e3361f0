type Limits = { readonly perAddress: number; readonly total: number }

/** Counts the open streams of an address and of the process. */
export function streamLimits({ perAddress, total }: Limits) {
  const counts = new Map<string, number>()
  let taken = 0

  return {
    /** Takes a place and gives the function that frees it; null where there is none. */
    take(address: string): (() => void) | null {
      const count = counts.get(address) ?? 0
      if (count >= perAddress || taken >= total) return null
      counts.set(address, count + 1)
      taken += 1
      return () => {
        taken -= 1
        const left = (counts.get(address) ?? 1) - 1
        if (left === 0) counts.delete(address)
        else counts.set(address, left)
      }
    },
  }
}
