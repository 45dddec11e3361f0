/** The database cannot answer now; whether a write happened is not known. The web answers 503. */
export class Unavailable extends Error {}

/** What the driver says when the connection, not the statement, is at fault. */
const connectionFaults = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
])

/** SQLSTATE classes of a server that is there but cannot serve: connection, resources, operator. */
const overloadClass = /^(08|53|57)[0-9A-Z]{3}$/

/** The SQLSTATE or system code of a failure; drizzle wraps the driver's error in its `cause`. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** Whether waiting may mend this failure: an outage, and not a mistake of ours. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error)
  return (
    error instanceof Unavailable ||
    (code !== null && (connectionFaults.has(code) || overloadClass.test(code)))
  )
}

/** Whether this failure is the violation of a unique index (SQLSTATE 23505). */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505'
}
