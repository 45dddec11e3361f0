/** The levels of log lines, the most severe first; `LOG_LEVEL` is the least severe one that is written. */
export const levels = ['error', 'warn', 'info', 'debug'] as const

export type Level = (typeof levels)[number]

/** Events of accounts. Their lines contain the user, the address and the path, but nothing typed into a form. */
export const accountEvents = {
  signed_up: 'info',
  signed_in: 'info',
  sign_in_failed: 'info',
  sign_in_throttled: 'warn',
  signed_out: 'info',
  form_refused: 'warn',
  password_refused: 'info',
  password_changed: 'info',
  token_added: 'info',
  token_rolled: 'info',
  token_ended: 'info',
  tokens_ended: 'info',
  read_key_rolled: 'info',
  publisher_added: 'info',
  publisher_removed: 'info',
  intake_added: 'info',
  intake_deleted: 'info',
  webhook_added: 'info',
  webhook_deleted: 'info',
  token_exchanged: 'info',
  sessions_ended: 'info',
  account_deleted: 'info',
} as const satisfies Readonly<Record<string, Level>>

/** The level of every event that is logged (docs/operations.md#every-log-line explains each). */
export const eventLevels = {
  ...accountEvents,
  fault: 'error',
  stream_failed: 'error',
  unavailable: 'warn',
  refused: 'debug',
  request: 'info',
  refusal_lost: 'warn',
  issuer_unreachable: 'warn',
  proxy_not_trusted: 'warn',
  client_unreadable: 'warn',
  user_header_ignored: 'warn',
  database_opening: 'info',
  database_moving: 'info',
  database_waiting: 'warn',
  database_migrating: 'info',
  database_ready: 'info',
  database_unsafe: 'warn',
  database_plain: 'warn',
  database_shared: 'info',
  database_damaged: 'error',
  database_lost: 'warn',
  database_ended: 'error',
  database_trouble: 'error',
  disk_full: 'error',
  disk_freed: 'info',
  database_replaced: 'warn',
  database_moved: 'warn',
  database_back: 'info',
  bell_lost: 'warn',
  bell_back: 'info',
  standby_left: 'warn',
  standby_back: 'info',
  upkeep_failed: 'error',
  webhooks_failed: 'error',
  backup_made: 'info',
  backup_failed: 'error',
  pruned: 'info',
  open_files_few: 'warn',
  metrics_on: 'info',
  ending: 'info',
  lines_dropped: 'warn',
  news: 'info',
} as const satisfies Readonly<Record<string, Level>>

export type AccountEvent = keyof typeof accountEvents

export type LogEvent = keyof typeof eventLevels

/** The events of the level `error`. */
export const errorEvents = Object.entries(eventLevels).flatMap(([event, level]) =>
  level === 'error' ? [event] : [],
)
