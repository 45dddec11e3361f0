/**
 * Every list of ours is the newest few of an index in its own order. A prepared statement is planned for an
 * average user, and for that one a bitmap of all rows and a sort look as good; for a busy pipeline's hundred
 * thousand deployments they are not. So no connection plans bitmaps, nor sorts what an index left in half of
 * the order, nor compiles a plan (`jit`) that looks costly and is not: at 10 million deployments that made 43
 * ms of a page's 1.3.
 */
export const plannerSettings = {
  enable_bitmapscan: 'off',
  enable_incremental_sort: 'off',
  jit: 'off',
} as const

type Settings = Readonly<Record<string, string>>

/** The settings that we rely on, whatever the server, the database or the role is set to. */
const needed = {
  DateStyle: 'ISO, MDY',
  TimeZone: 'UTC',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
  idle_session_timeout: '0',
} as const

/** For requests, which people wait for; in milliseconds. */
export const poolSettings = {
  ...plannerSettings,
  ...needed,
  // Below our own deadline, so that a healthy server always answers in time.
  statement_timeout: '1800',
  lock_timeout: '0',
  // A connection that died without a word may hold the lock of all announcements.
  idle_in_transaction_session_timeout: '2000',
} as const

/** For the bell, which operators and tests tell from the others by its name. */
export const bellSettings = { ...poolSettings, application_name: 'shipfeed bell' } as const

/** For what restores dumps, which waits for files and pipes. */
export const lengthySettings = {
  ...needed,
  statement_timeout: '0',
  lock_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  default_transaction_read_only: 'off',
} as const

/** For dumps, which see one instant. */
export const snapshotSettings = {
  ...lengthySettings,
  default_transaction_isolation: 'repeatable read',
  default_transaction_read_only: 'on',
} as const

/** For migrations, which may take long, but must not wait long for a lock that others queue behind. */
export const migrationSettings = {
  ...needed,
  statement_timeout: '600000',
  lock_timeout: '500',
  idle_in_transaction_session_timeout: '10000',
} as const

/**
 * The statement that makes these settings, for the session or for the transaction that it is in; a pooler
 * refuses startup parameters that it does not know. It also turns on `synchronous_commit` where a server would
 * answer a commit before it is written down.
 */
export function setting(settings: Settings, holds: 'session' | 'transaction' = 'session'): string {
  const isLocal = holds === 'transaction'
  const calls = Object.entries(settings).map(
    ([name, value]) => `set_config('${name}', '${value}', ${isLocal})`,
  )
  return `select ${calls.join(', ')}, case current_setting('synchronous_commit')
    when 'off' then set_config('synchronous_commit', 'on', ${isLocal}) end`
}

/** The statements that begin a transaction in which these settings hold: nothing of them is left at its end. */
export function beginning(settings: Settings): string {
  const { default_transaction_isolation: isolation, default_transaction_read_only: readOnly } = settings
  const modes = [
    ...(isolation === undefined ? [] : [`isolation level ${isolation}`]),
    ...(readOnly === undefined ? [] : [readOnly === 'on' ? 'read only' : 'read write']),
  ]
  // The defaults would hold from the next transaction on.
  return `begin ${modes.join(', ')}; ${setting(settings, 'transaction')}`
}

/** The planner's settings as a statement, for the embedded database. */
export const setPlanner = Object.entries(plannerSettings)
  .map(([name, value]) => `set ${name} = ${value}`)
  .join(';')
