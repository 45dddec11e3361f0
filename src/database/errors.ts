/** The database cannot answer now; whether a write happened is not known. The web answers 503. */
export class Unavailable extends Error {}

/** The database answers, and its migrations are not done yet. */
export class Migrating extends Unavailable {}

/**
 * The database of the configuration cannot be used, and waiting cannot help. The message is one line that
 * says what to do.
 */
export class DatabaseUnusable extends Error {}

/** A connection is lost; the outcome of its queries is not known. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_CLOSED'
  override readonly message = 'the connection to the database was lost'
}

/** Codes of the system if no connection could be opened. */
const unreachable = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** Codes of the driver or the server for a query whose open connection was lost. */
const losses = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  // The server ended the session: shutdown, crash recovery, a dropped database, idleness.
  '57P01',
  '57P02',
  '57P04',
  '57P05',
  '25P03',
])

/** The server cannot write: it is a standby, or was told to be read-only. */
const readOnly = '25006'

/**
 * The server did nothing and may accept the same the next moment: a write, a lock, a transaction beside
 * another one, a prepared statement that it has forgotten.
 */
const refusedForNow = new Set([readOnly, '55P03', '57014', '40001', '40P01', '25P02', '26000'])

/**
 * SQLSTATE classes of a server that answers but cannot serve: connection, authorization, resources, operator,
 * system; and a database that was renamed or accepts nobody.
 */
const unable = /^((08|28|53|57|58)...|3D000|55000)$/

/** The SQLSTATE or system code of a failure; drizzle wraps the driver's error in its `cause`. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** Whether the connection of a query is lost, but not if none could be opened. */
export function isConnectionLost(error: unknown): boolean {
  return losses.has(codeOf(error) ?? '')
}

/** Whether the connection leads to a server that cannot write. */
export function isReadOnly(error: unknown): boolean {
  return codeOf(error) === readOnly
}

/** Whether the server did nothing, and may accept the same when asked again. */
export function isRefusedForNow(error: unknown): boolean {
  return refusedForNow.has(codeOf(error) ?? '')
}

/** Whether waiting may help: an outage, and not a mistake of ours. */
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

/** A failure in the words of the driver or the server, without the statement that Drizzle adds. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return messageOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}
