type Options = {
  /** The stack, for a fault of ours. */
  readonly withStack: boolean
}

/**
 * One line of JSON for the operator. Our paths hold no secrets; queries, bodies and headers may, so they stay
 * out of the facts.
 */
export function logLine(
  facts: Readonly<Record<string, unknown>>,
  error: unknown,
  { withStack }: Options = { withStack: false },
): string {
  const cause = causeOf(error)
  return JSON.stringify({
    at: new Date().toISOString(),
    ...facts,
    error: cause instanceof Error ? cause.message : String(cause),
    stack: withStack && cause instanceof Error ? cause.stack : undefined,
  })
}

/** Drizzle's own message repeats the parameters of the statement, such as a password's hash. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error
}

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
