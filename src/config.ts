import { isIP } from 'node:net'
import { addressesOf, notAnAddress } from './database/postgres/addresses.ts'
import { issuerAdvice, issuerOf } from './domain/publisher/issuer.ts'
import { usualRatePerMinute } from './domain/rate-limits.ts'
import { webhookReaches } from './domain/webhook/address.ts'
import { usualStreams } from './http/concurrency-and-open-streams.ts'
import { levels } from './log/events.ts'
import {
  ConfigError,
  commaSeparated,
  duration,
  type Environment,
  fraction,
  headerName,
  oneOf,
  secret,
  wholeNumber,
} from './settings-reader.ts'

export type Config = ReturnType<typeof readConfig>

/** Reads and checks the environment (docs/decisions.md#operation); throws ConfigError. */
export function readConfig(env: Environment) {
  const production = env.NODE_ENV === 'production'
  /** 0: any free port. */
  const port = wholeNumber(env, 'PORT', 3000, [0, 65_535])
  const database = databaseConfig(env)
  /** The public address, perhaps with a path, but no trailing slash. Links and snippets start with it. */
  const publicUrl = baseUrl(env, production, port)
  return Object.freeze({
    production,
    host: env.HOST || '0.0.0.0',
    port,
    /** Whether other processes on this machine may listen on the same port and share its connections. */
    reusePort: reusePort(env, database),
    baseUrl: publicUrl,
    ...database,
    /** Whether an https address sends Strict-Transport-Security, and whether for subdomains too. */
    hsts: oneOf(env, 'HSTS', ['on', 'off', 'subdomains']),
    /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
    trustedProxies: trustedProxies(env),
    /** The headers in which trusted proxies name the signed-in user. Null: users sign in here with passwords. */
    trustedUser: trustedUser(env),
    /** How to reach the operator: a mail address, a link or a few words. */
    operatorContact: operatorContact(env),
    /** Where the source of this installation is. */
    sourceUrl: sourceUrl(env),
    /** The issuers whose pipelines may announce without a secret, and the audience their tokens must name. */
    oidcIssuers: commaSeparated(env, 'OIDC_ISSUERS', issuerAdvice, (entry) => issuerOf(entry, production)),
    oidcAudience: env.OIDC_AUDIENCE || publicUrl,
    registrationOpen: oneOf(env, 'REGISTRATION', ['open', 'closed']) === 'open',
    ...visibility(env),
    /** Whether webhooks are sent, and whether only to public addresses (docs/decisions.md#webhooks). */
    webhooks: oneOf(env, 'WEBHOOKS', webhookReaches),
    /** Whether readers may report a deployment to the operator (docs/decisions.md#reports). */
    takesReports: oneOf(env, 'REPORTS', ['off', 'on']) === 'on',
    /** Whether a CDN in front of the service may keep badges (docs/decisions.md#badge). */
    badgeCdn: oneOf(env, 'BADGE_CDN', ['off', 'on']) === 'on',
    /** Announcements per user and minute. 0: no limit. */
    rateLimitPerMinute: wholeNumber(env, 'RATE_LIMIT_PER_MINUTE', usualRatePerMinute, [0, 10_000]),
    /** New accounts per address and hour. 0: no limit. */
    signUpsPerHour: wholeNumber(env, 'SIGN_UPS_PER_HOUR', 20, [0, 10_000]),
    /** Open feeds per address. 0: none, so that every page polls. */
    streamsPerAddress: wholeNumber(env, 'STREAMS_PER_ADDRESS', usualStreams.perAddress, [0, 100_000]),
    /** Open feeds of the process. */
    streamsMax: wholeNumber(env, 'STREAMS_MAX', usualStreams.total, [1, 100_000]),
    /** How often the embedded database is backed up. Null: never. */
    backupEverySeconds: backupEverySeconds(env, database),
    /** How many backups are kept. */
    backupKeep: wholeNumber(env, 'BACKUP_KEEP', 7, [1, 1_000]),
    /** After how many whole days the service deletes deployments. Null: never. */
    pruneAfterDays: env.PRUNE_AFTER ? wholeNumber(env, 'PRUNE_AFTER', 1, [1, 36_500]) : null,
    /** For how long the service goes on after a signal to stop, with 503 on /readyz. 0: not at all. */
    drainSeconds: drainSeconds(env),
    /** The lowest level of log lines that are written. */
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', ...levels]),
    /** The fraction of requests that get a line in the log. 0: none, 1: all. */
    accessLog: fraction(env, 'ACCESS_LOG'),
    /** Where the metrics are served. 0: on any free port; null: nowhere. */
    metricsPort: env.METRICS_PORT ? wholeNumber(env, 'METRICS_PORT', 0, [0, 65_535]) : null,
    metricsHost: env.METRICS_HOST || '127.0.0.1',
  })
}

function baseUrl(env: Environment, production: boolean, port: number): string {
  const text = env.BASE_URL
  if (!text) {
    if (!production) return `http://localhost:${port}`
    throw new ConfigError('BASE_URL is not set: with NODE_ENV=production, set the public address')
  }
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname) {
    const path = url.pathname.replace(/\/$/, '')
    if (/^(\/[\w.~-]+)*$/.test(path)) return url.origin + path
  }
  throw new ConfigError(
    `BASE_URL is ${JSON.stringify(text)}: set http:// or https://, a host and perhaps a plain path`,
  )
}

/** Refused with the embedded database, because each process would have its own database. */
function reusePort(env: Environment, { databaseUrl }: DatabaseConfig): boolean {
  const isOn = oneOf(env, 'REUSE_PORT', ['off', 'on']) === 'on'
  if (!isOn || databaseUrl !== null) return isOn
  throw new ConfigError(
    'REUSE_PORT is on without DATABASE_URL: processes on one port need one database, so set DATABASE_URL, or unset REUSE_PORT',
  )
}

/** Refused with REUSE_PORT, since no balancer can ask one process of a shared port for /readyz. */
function drainSeconds(env: Environment): number {
  const seconds = wholeNumber(env, 'DRAIN_SECONDS', 0, [0, 60])
  if (seconds === 0 || env.REUSE_PORT !== 'on') return seconds
  throw new ConfigError(
    'DRAIN_SECONDS has no effect with REUSE_PORT, because a stopping process on a shared port accepts no new connections: unset DRAIN_SECONDS or REUSE_PORT',
  )
}

/** Refused without TRUSTED_PROXIES, because no proxy would then be believed. */
function trustedUser(env: Environment) {
  const userHeader = headerName(env, 'TRUSTED_USER_HEADER')
  const nameHeader = headerName(env, 'TRUSTED_NAME_HEADER')
  if (userHeader === null && nameHeader === null) return null
  if (userHeader === null) throw new ConfigError('TRUSTED_NAME_HEADER needs TRUSTED_USER_HEADER: set it')
  if (trustedProxies(env).length > 0) return { userHeader, nameHeader }
  throw new ConfigError('TRUSTED_USER_HEADER is trusted only from TRUSTED_PROXIES: list your proxy there')
}

/**
 * Whether only members may read (docs/decisions.md#members-only), and whether badges and years stay public. BADGES is
 * refused while everything is public, where it would seem to close the badges.
 */
function visibility(env: Environment) {
  const membersOnly = oneOf(env, 'VISIBILITY', ['public', 'members']) === 'members'
  const publicBadges = oneOf(env, 'BADGES', ['members', 'public']) === 'public'
  if (membersOnly || !env.BADGES) return { membersOnly, publicBadges: publicBadges || !membersOnly }
  throw new ConfigError('BADGES needs VISIBILITY=members: set that too, or unset BADGES')
}

function operatorContact(env: Environment): string | null {
  const text = (env.OPERATOR_CONTACT ?? '').trim()
  if (text.length <= 200 && !/\p{Cc}/u.test(text)) return text || null
  throw new ConfigError('OPERATOR_CONTACT is not one short line: set a mail address, a link or a few words')
}

function sourceUrl(env: Environment): string | null {
  const text = env.SOURCE_URL || null
  if (text === null || /^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text
  throw new ConfigError(`SOURCE_URL is ${JSON.stringify(text)}: set an address with http:// or https://`)
}

/** Refused with DATABASE_URL, where no backups would be made although the operator relies on them. */
function backupEverySeconds(env: Environment, { databaseUrl }: DatabaseConfig): number | null {
  const seconds = duration(env, 'BACKUP_EVERY')
  if (seconds === null || databaseUrl === null) return seconds
  throw new ConfigError(
    'BACKUP_EVERY is for the embedded database: with DATABASE_URL, unset it, and run "shipfeed dump" or pg_dump from a timer',
  )
}

function trustedProxies(env: Environment): readonly string[] {
  return commaSeparated(env, 'TRUSTED_PROXIES', 'list IP addresses or CIDR ranges', (proxy) => {
    const [address = '', bits, ...rest] = proxy.split('/')
    const max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max)
    return max < 0 || !isRange || rest.length > 0 ? null : proxy
  })
}

const readOnly = ['read-only', 'standby', 'prefer-standby']

type DatabaseConfig = ReturnType<typeof databaseConfig>

/** Which database is used, and how it is reached (docs/scaling.md). */
function databaseConfig(env: Environment) {
  const config = {
    /** Null: the embedded database in `dataDir`. */
    databaseUrl: postgresUrl(env, 'DATABASE_URL', readOnly),
    dataDir: env.DATA_DIR || './data',
    /** The same database without a pooler, for work that needs a session of its own. */
    databaseListenUrl: postgresUrl(env, 'DATABASE_LISTEN_URL', readOnly),
    /** Standbys that answer read-only queries. Each host is one standby. */
    databaseReadUrl: postgresUrl(env, 'DATABASE_READ_URL'),
    /** Whether the answers of standbys must be as current as those of the primary. */
    reads: oneOf(env, 'READS', ['current', 'eventual']),
    /** How a process learns that the feed has something new: by NOTIFY, or by polling. */
    bell: oneOf(env, 'BELL', ['notify', 'poll']),
  }
  for (const name of ['DATABASE_LISTEN_URL', 'DATABASE_READ_URL', 'READS', 'BELL']) {
    const isSet = Boolean(env[name] || env[`${name}_FILE`])
    if (isSet && config.databaseUrl === null) {
      throw new ConfigError(`${name} is for a Postgres of your own: set DATABASE_URL too, or unset ${name}`)
    }
  }
  if (env.READS && config.databaseReadUrl === null) {
    throw new ConfigError('READS is for standbys: set DATABASE_READ_URL too, or unset READS')
  }
  return config
}

function postgresUrl(env: Environment, name: string, refused: readonly string[] = []): string | null {
  const text = secret(env, name)
  if (text === '') return null
  const addresses = addressesOf(text)
  if (addresses === null) throw new ConfigError(notAnAddress(name))
  if (addresses.some(({ wanted }) => refused.includes(wanted)))
    throw new ConfigError(`${name} must lead to a server that takes writes: remove its target_session_attrs`)
  return text
}
