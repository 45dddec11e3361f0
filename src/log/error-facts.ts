/**
 * What a line tells of an error: its message and, for a fault of ours, its stack. Queries, bodies and headers
 * may hold secrets, so they stay out.
 */
export function errorFacts(error: unknown, { withStack = false } = {}): { error: string; stack?: string } {
  const cause = causeOf(error)
  if (!(cause instanceof Error)) return { error: String(cause) }
  return { error: cause.message, ...(withStack && cause.stack !== undefined ? { stack: cause.stack } : {}) }
}

/** Drizzle's own message repeats the parameters of the statement, such as a password's hash. */
function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? causeOf(error.cause) : error
}
