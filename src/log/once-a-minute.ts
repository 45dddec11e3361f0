const minuteMs = 60_000

/**
 * Lets the first of many alike through, then one a minute. Takes the present instant in ms; gives how many
 * were held back since the last one let through, or null to hold this one back.
 */
export function onceAMinute(): (now: number) => number | null {
  let quietUntil = Number.NEGATIVE_INFINITY
  let heldBack = 0

  return (now) => {
    if (now < quietUntil) {
      heldBack += 1
      return null
    }
    const told = heldBack
    quietUntil = now + minuteMs
    heldBack = 0
    return told
  }
}
