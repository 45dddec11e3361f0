/**
 * Our lists walk an index. A prepared statement is planned for an average user, for whom a bitmap scan plus a sort
 * looks just as cheap; for a user with 100,000 deployments, it is far slower. `jit` compiles plans that only look
 * costly: with 10 million deployments, it made a page take 43 ms instead of 1.3.
 */
export const plannerSettings = { enable_bitmapscan: 'off', enable_incremental_sort: 'off', jit: 'off' }

/** The settings that our code relies on, whatever the server, the database or the role sets. */
const needed = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  idle_session_timeout: '0',
}

export type SessionSettings = Readonly<typeof needed & Record<string, string>>

/** For requests, which people wait for. Times are in milliseconds. */
export const poolSettings = {
  ...plannerSettings,
  ...needed,
  // Shorter than our own deadline, so that a healthy server usually answers in time.
  statement_timeout: '1800',
  lock_timeout: '0',
  // Short, because a silently dead connection may hold the feed's lock, which all announcements need.
  idle_in_transaction_session_timeout: '2000',
}

/** A name of its own lets operators and tests recognize the bell's connection. */
export const bellSettings = { ...poolSettings, application_name: 'shipfeed bell' }

/** For restoring a dump. A restore waits for files and pipes. */
export const lengthySettings = {
  ...needed,
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  default_transaction_read_only: 'off',
}

/** For writing a dump, which shows the database at one instant. */
export const snapshotSettings = {
  ...lengthySettings,
  default_transaction_isolation: 'repeatable read',
  default_transaction_read_only: 'on',
}

/** Migrations may run long, but not wait long for a lock: other queries would queue behind them. */
export const migrationSettings = {
  ...needed,
  statement_timeout: '600000',
  lock_timeout: '500',
  idle_in_transaction_session_timeout: '10000',
}

/**
 * For the session or, if `isLocal`, the transaction. These are not startup parameters, because a pooler refuses those
 * that it does not know. With `synchronous_commit` off, commits would be answered before they are written. With
 * `client_connection_check_interval`, the server notices a closed connection.
 */
export function settingStatement(settings: SessionSettings, isLocal = false): string {
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', ${isLocal})`,
  )
  return `select ${calls.join(', ')}, case current_setting('synchronous_commit')
    when 'off' then set_config('synchronous_commit', 'on', ${isLocal}) end,
    case when current_setting('client_connection_check_interval', true) is not null and version() like '%linux%'
    then set_config('client_connection_check_interval', '100', ${isLocal}) end`
}

/** Begins a transaction with these settings, which end with it. */
export function beginStatement(settings: SessionSettings): string {
  const { default_transaction_isolation: isolation, default_transaction_read_only: readOnly } = settings
  const access = readOnly === undefined ? '' : `, read ${readOnly === 'on' ? 'only' : 'write'}`
  // `begin` itself sets isolation and access, because a changed default would apply only to the next transaction.
  return `begin isolation level ${isolation}${access}; ${settingStatement(settings, true)}`
}
