const minuteMs = 60_000

/**
 * Makes the decision which of many alike to tell: the first, and one a minute after that. It takes the present
 * instant in ms, and gives how many were kept back since the last one told, or null to keep this one back too.
 */
export function onceAMinute(): (now: number) => number | null {
  let quietUntil = Number.NEGATIVE_INFINITY
  let keptBack = 0

  return (now) => {
    if (now < quietUntil) {
      keptBack += 1
      return null
    }
    const told = keptBack
    quietUntil = now + minuteMs
    keptBack = 0
    return told
  }
}
