/** The database cannot answer now; whether a write happened is not known. The web answers 503. */
export class Unavailable extends Error {}

/**
 * The database of the configuration cannot be used, and waiting does not mend it. The message is one line
 * that says what to do.
 */
export class DatabaseUnusable extends Error {}

/** What the driver says where no connection could be opened. */
const unreachable = new Set([
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** What the driver or the server says to a query whose connection was open, and is no more. */
const losses = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // The server ends sessions: it shuts down, it recovers from a crash, the database is dropped, they were idle.
  '57P01',
  '57P02',
  '57P04',
  '57P05',
  '25P03',
])

/** SQLSTATE classes of a server that is there but cannot serve: connection, resources, operator. */
const overloadClass = /^(08|53|57)[0-9A-Z]{3}$/

/** The SQLSTATE or system code of a failure; drizzle wraps the driver's error in its `cause`. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** Whether the connection that a query was on is lost. Not where none could be opened. */
export function isConnectionLost(error: unknown): boolean {
  return losses.has(codeOf(error) ?? '')
}

/** Whether waiting may mend this failure: an outage, and not a mistake of ours. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error)
  return (
    error instanceof Unavailable ||
    isConnectionLost(error) ||
    (code !== null && (unreachable.has(code) || overloadClass.test(code)))
  )
}

/** Whether this failure is the violation of a unique index (SQLSTATE 23505). */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505'
}
