type Options = {
  /** Where the fault came from, for a fault of ours. */
  readonly withStack: boolean
}

/**
 * One line of JSON for the operator. Paths of ours hold no secrets; queries, bodies and headers may, and
 * stay out of the facts.
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
