/** How grave a line is; `LOG_LEVEL` names the least grave that is written. The gravest first. */
export const levels = ['error', 'warn', 'info', 'debug'] as const

export type Level = (typeof levels)[number]

/** What happens to accounts: who, from where, never what was typed. */
export const accountEvents = {
  signed_up: 'info',
  signed_in: 'info',
  sign_in_failed: 'info',
  sign_in_throttled: 'warn',
  signed_out: 'info',
  form_refused: 'warn',
  password_refused: 'info',
  password_changed: 'info',
  token_rolled: 'info',
  publisher_added: 'info',
  publisher_removed: 'info',
  token_exchanged: 'info',
  sessions_ended: 'info',
  account_deleted: 'info',
} as const satisfies Readonly<Record<string, Level>>

/** Every line that is ever written, by its event (docs/operations.md#every-log-line tells what each is). */
export const eventLevels = {
  ...accountEvents,
  fault: 'error',
  unavailable: 'warn',
  refused: 'debug',
  request: 'info',
  refusal_lost: 'warn',
  issuer_unreachable: 'warn',
  proxy_not_trusted: 'warn',
  database_opening: 'info',
  database_waiting: 'warn',
  database_migrating: 'info',
  database_ready: 'info',
  database_unsafe: 'warn',
  database_shared: 'info',
  database_lost: 'warn',
  database_replaced: 'warn',
  database_moved: 'warn',
  database_back: 'info',
  bell_lost: 'warn',
  bell_back: 'info',
  standby_left: 'warn',
  standby_back: 'info',
  upkeep_failed: 'error',
  backup_made: 'info',
  backup_failed: 'error',
  open_files_few: 'warn',
  metrics_on: 'info',
  ending: 'info',
  lines_dropped: 'warn',
  news: 'info',
} as const satisfies Readonly<Record<string, Level>>

export type AccountEvent = keyof typeof accountEvents

export type LogEvent = keyof typeof eventLevels
