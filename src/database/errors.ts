/** The database cannot answer now; whether a write happened is not known. The web answers 503. */
export class Unavailable extends Error {}

/**
 * The database of the configuration cannot be used, and waiting does not mend it. The message is one line
 * that says what to do.
 */
export class DatabaseUnusable extends Error {}

/** A connection is gone; how what was under way on it ended is not known. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_CLOSED'
  override readonly message = 'the connection to the database was lost'
}

/** What the system says where no connection could be opened. */
const unreachable = new Set([
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

/** The server cannot write: it is a standby, or was told to be read-only. */
const readOnly = '25006'

/**
 * What the server refuses now and may grant the next moment, having done nothing of it: to write, to lock, to
 * go on beside another transaction, to know a statement that was prepared.
 */
const refusedForNow = new Set([readOnly, '55P03', '57014', '40001', '40P01', '25P02', '26000'])

/**
 * SQLSTATE classes of a server that is there but cannot serve: connection, authorization, resources, operator,
 * its system; and a database that was renamed or accepts nobody.
 */
const unable = /^((08|28|53|57|58)...|3D000|55000)$/

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

/** Whether the connection leads to a server that cannot write. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnly
}

/** Whether the server did nothing of what it was asked, and may do it when it is asked again. */
export function isRefusedForNow(error: unknown): boolean {
  return refusedForNow.has(codeOf(error) ?? '')
}

/** Whether waiting may mend this failure: an outage, and not a mistake of ours. */
export function isOutage(error: unknown): boolean {
  const code = codeOf(error) ?? ''
  return (
    error instanceof Unavailable ||
    isConnectionLost(error) ||
    isRefusedForNow(error) ||
    unreachable.has(code) ||
    unable.test(code)
  )
}

/** Whether this failure is the violation of a unique index (SQLSTATE 23505). */
export function isDuplicate(error: unknown): boolean {
  return codeOf(error) === '23505'
}

/** What a failure is told by: the driver's or the server's own words, without the statement that drizzle adds. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return messageOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}
