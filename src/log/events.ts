/** The levels of log lines, the most severe first; `LOG_LEVEL` is the least severe one that is written. */
export const levels = ['error', 'warn', 'info', 'debug'] as const

export type Level = (typeof levels)[number]

/** Each gives the level of an event, and what its line says, in Markdown whose links begin in docs/. */
const error = (says: string) => ['error', says] as const
const warn = (says: string) => ['warn', says] as const
const info = (says: string) => ['info', says] as const
const debug = (says: string) => ['debug', says] as const

/** Events of accounts. Their lines contain the user, the address and the path, but nothing typed into a form. */
export const accountEvents = {
  signed_up: info('a new account'),
  signed_in: info('a new session'),
  sign_in_failed: info('a wrong password; `user` only if the account exists'),
  sign_in_throttled: warn('too many wrong passwords from that address, or for that account; once a minute'),
  signed_out: info('a session was ended by its user'),
  form_refused: warn('a form came from another site; once a minute'),
  password_refused: info('a wrong current password on the settings page'),
  password_changed: info('a new password'),
  token_added: info('a new token'),
  token_rolled: info('a token was replaced'),
  token_ended: info('a token was removed'),
  tokens_ended: info("all tokens ended, by an operator's link"),
  read_key_rolled: info('a new read key'),
  publisher_added: info('a pipeline may announce by its identity'),
  publisher_removed: info('it no longer may'),
  intake_added: info('a new intake'),
  intake_deleted: info('an intake was deleted'),
  webhook_added: info('a new webhook'),
  webhook_deleted: info('a webhook was deleted'),
  token_exchanged: info('a pipeline proved its identity and got a short-lived token'),
  sessions_ended: info('all other sessions of a user ended'),
  account_deleted: info('an account was deleted by its owner'),
}

/** Every event that is logged, in the order of docs/reference.md#log-lines. */
export const events = {
  fault: error('a fault of ours, answered with 500: `error`, `stack`'),
  stream_failed: error(
    'a fault of ours ended a live stream, whose reader comes back: `error`, `stack`; once a minute',
  ),
  upkeep_failed: error(
    'the background work of every ten minutes failed: `error`, `stack`; it is tried again',
  ),
  webhooks_failed: error(
    'sending webhooks failed in a way that no receiver can cause: `error`, `stack`; it goes on',
  ),
  database_damaged: error(
    'a file of the database is cut, damaged or gone, and a request needed it: `error`; once a minute',
  ),
  database_ended: error(
    'the Postgres of the [local database](operations.md#local-database) ended, and why; it is started again',
  ),
  database_trouble: error(
    'what this Postgres says when something is wrong, or that it does not answer and is ended',
  ),
  disk_full: error(
    'less than 64 MiB are free for `DATA_DIR`: announcements, imports, dumps and backups are refused',
  ),
  disk_freed: info('there is enough space again, and everything is accepted'),
  backup_failed: error('`BACKUP_EVERY`: why no backup was made, or why an old one could not be removed'),
  backup_made: info('`BACKUP_EVERY`: the file of the backup'),
  pruned: info(
    '`PRUNE_AFTER`: the day before which deployments were deleted, how many, and how many stayed. Each process says so once a day, and all but the first find little',
  ),
  unavailable: warn(
    'a request was answered with 503, or with an "unavailable" badge, because the database did not answer or too many requests wait; once a minute',
  ),
  refusal_lost: warn('a refused announcement could not be recorded for its owner'),
  refused: debug('a request was answered with 4xx: `code` says why'),
  request: info('a request, of the fraction in `ACCESS_LOG`'),
  issuer_unreachable: warn(
    'the keys of an issuer in `OIDC_ISSUERS` cannot be fetched, and `error` says why; once a minute. Keys in memory stay valid',
  ),
  proxy_not_trusted: warn(
    "a request had a proxy's header, but `TRUSTED_PROXIES` is empty. List the proxy there",
  ),
  client_unreadable: warn(
    'a proxy in `TRUSTED_PROXIES` writes something other than an address (with or without a port) into X-Forwarded-For, so all clients behind it count as one; once a minute',
  ),
  user_header_ignored: warn(
    'a peer that is not in `TRUSTED_PROXIES` sent `TRUSTED_USER_HEADER`, and was not believed; once a minute. Either your proxy is missing there, or somebody reaches the service past it',
  ),
  database_opening: info('a start creates or opens the local database'),
  database_moving: info('a start [moves](operations.md#upgrades) a database from PGlite, or has done so'),
  database_waiting: warn('a start waits for the database: `message` has the cause, every 5 s'),
  database_migrating: info('a start runs migrations'),
  database_ready: info('the wait is over'),
  database_unsafe: warn('Postgres has `fsync = off`: a crash may lose what was acknowledged. Set it to on'),
  database_plain: warn(
    'the address of a database on another machine does not mention [TLS](operations.md#postgres)',
  ),
  database_shared: info(
    '`DATABASE_URL` leads to a [pooler](scaling.md#poolers); without `DATABASE_LISTEN_URL`, live feeds poll four times a second',
  ),
  database_lost: warn('no connection can be opened: `message` has the cause'),
  database_back: info('it is back, and for how long it was away'),
  database_replaced: warn(
    'all connections are replaced, because the server was read-only or silent. This is expected after a failover',
  ),
  database_moved: warn(
    'another host of `DATABASE_URL` accepts writes now, and which. Make sure that the old one [is ended](scaling.md#failover)',
  ),
  bell_lost: warn('live feeds are up to 5 s late until it is heard again'),
  bell_back: info('live feeds are immediate again'),
  standby_left: warn(
    'a [standby](scaling.md#standbys) is not read from, and why; the primary answers instead',
  ),
  standby_back: info('Shipfeed now reads from it'),
  open_files_few: warn('`ulimit -n` is too low for `STREAMS_MAX`'),
  lines_dropped: warn('the reader of the log was too slow: `lines` were lost'),
  metrics_on: info('the address of the metrics'),
  ending: info('a signal to end was received'),
  news: info('any other message of a start or a command, in `message`'),
  ...accountEvents,
}

export type AccountEvent = keyof typeof accountEvents

export type LogEvent = keyof typeof events

export const errorEvents = Object.entries(events).flatMap(([event, [level]]) =>
  level === 'error' ? [event] : [],
)
