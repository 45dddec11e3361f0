/** The database cannot answer now, and a write may or may not have happened. HTTP requests get 503. */
export class Unavailable extends Error {}

/** The database answers, but its migrations are not done yet. */
export class Migrating extends Unavailable {}

/** The disk of the local database is nearly full. Nothing was written. */
export class DiskFull extends Unavailable {}

/** The configured database cannot be used, and waiting cannot help. The message says why, or what to do. */
export class DatabaseUnusable extends Error {}

/** A file of the database is cut, damaged or gone, and waiting cannot help. The message says what does. */
export class Damaged extends Unavailable {
  readonly code: string | null
  constructor(cause: unknown) {
    super(`the database is damaged (${messageOf(cause)}): stop the service, and restore a backup`)
    this.code = codeOf(cause)
  }
}

/** A connection is lost, and the outcome of its queries is unknown. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_CLOSED'
  override readonly message = 'the connection to the database was lost'
}

/** The server does not speak TLS, and the address demands it. */
export class TlsRefused extends Unavailable {
  override readonly message = 'the server does not speak TLS'
}

/** System errors: a connection could not be opened. */
const unreachable = /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN)$/

/** A connection was lost (codes of the driver and the system), or the server ended the session (SQLSTATEs). */
const losses = /^(CONNECTION_CLOSED|CONNECTION_DESTROYED|ECONNRESET|EPIPE|ETIMEDOUT|57P0[1245]|25P03)$/

/** The server did nothing, and may soon accept the query: read-only, a lock, a timeout, a conflict, or the like. */
const refusedForNow = /^(25006|55P03|57014|40001|40P01|25P02|26000)$/

/** The server answers but cannot serve. 3D000: the database is not there. 55000: it accepts no connections. */
const unable = /^((08|28|53|57|58)...|3D000|55000)$/

/** The SQLSTATE or system code of a failure, or null. In an error of Drizzle, `cause` is the driver's error. */
export function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('code' in error && typeof error.code === 'string') return error.code
  return codeOf(error.cause)
}

/** Whether a connection was lost, perhaps while it was being opened. False for the codes in `unreachable`. */
export const isConnectionLost = (error: unknown): boolean => losses.test(codeOf(error) ?? '')

export const isRefusedForNow = (error: unknown): boolean => refusedForNow.test(codeOf(error) ?? '')

/** SQLSTATEs of a block, an index or a file that cannot be read. */
const damages = /^(XX00[12]|58P01|58030)$/

/** The error to show if a file of the database is damaged; otherwise null. */
export function damageIn(error: unknown): Damaged | null {
  if (error instanceof Damaged) return error
  return damages.test(codeOf(error) ?? '') ? new Damaged(error) : null
}

/** Whether the disk of the database is full. Nothing was written. */
export const isDiskFull = (error: unknown): boolean => error instanceof DiskFull || codeOf(error) === '53100'

/** Whether the server is a standby, or is set to read-only. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === '25006'

/** Whether another session held a lock for too long. */
export const isLocked = (error: unknown): boolean => codeOf(error) === '55P03'

/** Whether a unique index was violated. */
export const isDuplicate = (error: unknown): boolean => codeOf(error) === '23505'

/** Whether this is an outage, so that waiting may help, and not a mistake in our code. */
export function isOutage(error: unknown): boolean {
  if (error instanceof Unavailable) return true
  const code = codeOf(error) ?? ''
  return [losses, refusedForNow, unreachable, unable].some((codes) => codes.test(code))
}

/** SQLSTATE 28xxx, 3D000 and 42501: wrong user, password or database, or a missing privilege. Startup then fails. */
const refused = /^(28...|3D000|42501)$/

/** Error codes for a certificate that `sslmode=verify-full` rejects. */
const untrusted = /^(CERT_\w+|UNABLE_TO_\w+|(DEPTH_ZERO_)?SELF_SIGNED_CERT\w*|ERR_TLS_CERT_ALTNAME_INVALID)$/

/** The error to show if the server that `setting` names refuses us or is not trusted; otherwise null. */
export function refusalBy(setting: string, error: unknown): DatabaseUnusable | null {
  const code = codeOf(error) ?? ''
  const says = messageOf(error)
  if (refused.test(code)) return new DatabaseUnusable(`the Postgres server in ${setting} says: ${says}`)
  if (error instanceof TlsRefused) {
    return new DatabaseUnusable(
      `the Postgres server in ${setting} does not speak TLS: turn that on there (ssl = on), or set sslmode=disable if no one can eavesdrop`,
    )
  }
  if (!untrusted.test(code)) return null
  const advice = /SELF_SIGNED|UNABLE_TO/.test(code)
    ? ' (if your own certificate authority signed it, set NODE_EXTRA_CA_CERTS to the file with the certificate of that authority)'
    : ''
  return new DatabaseUnusable(
    `the certificate of the Postgres server in ${setting} is not trusted: ${says}${advice}`,
  )
}

/** The message of the driver or the server, without the statement that Drizzle adds. */
export function messageOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return messageOf(error.cause)
  return error instanceof Error ? error.message : String(error)
}
