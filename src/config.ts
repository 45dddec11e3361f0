import { isIP } from 'node:net'
import { type DatabaseConfig, databaseConfig } from './database-config.ts'
import { type Issuer, issuerAdvice, issuerOf } from './domain/publisher/issuer.ts'
import { ConfigError, duration, type Environment, list, oneOf, share, wholeNumber } from './environment.ts'
import { type Level, levels } from './log/events.ts'

export type Config = DatabaseConfig &
  Readonly<{
    production: boolean
    host: string
    port: number
    /** Whether other processes of this machine may listen on the same port, and share what comes. */
    reusePort: boolean
    /** The public address, perhaps with a path, without a trailing slash: every link and snippet starts with it. */
    baseUrl: string
    /** Whether browsers are held to https, and on subdomains too, where the public address is https. */
    hsts: 'on' | 'off' | 'subdomains'
    /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
    trustedProxies: readonly string[]
    registrationOpen: boolean
    /** Whether a CDN before the service may keep badges (docs/decisions.md#badge). */
    badgeCdn: boolean
    /** How to reach whoever runs this: a mail address, a link or words. */
    operatorContact: string | null
    /** Where the source of this installation is. */
    sourceUrl: string | null
    /** Whose pipelines may announce without a secret, and what their tokens have to be for. */
    oidcIssuers: readonly Issuer[]
    oidcAudience: string
    /** 0 means no limit, here and below. */
    rateLimitPerMinute: number
    signUpsPerHour: number
    /** How many open feeds one address and the whole process may have. */
    streamsPerAddress: number
    streamsMax: number
    /** How long it serves on after a signal to end, with /readyz saying so. */
    drainSeconds: number
    /** How often the embedded database is backed up, null for never and on Postgres, and how many backups are kept. */
    backupEverySeconds: number | null
    backupKeep: number
    /** The least grave lines of the log that are written. */
    logLevel: Level
    /** The share of requests that have a line in the log, 0 to 1. */
    accessLog: number
    /** Where the metrics are served; null is nowhere. */
    metricsPort: number | null
    metricsHost: string
  }>

/** Reads and checks the environment (docs/decisions.md#operation); throws ConfigError. */
export function readConfig(env: Environment): Config {
  const production = env.NODE_ENV === 'production'
  const host = env.HOST || '0.0.0.0'
  const port = wholeNumber(env, 'PORT', 3000, 65_535)
  const database = databaseConfig(env)
  const publicUrl = baseUrl(env, production, port)
  return Object.freeze({
    production,
    host,
    port,
    reusePort: reusePort(env, database),
    baseUrl: publicUrl,
    ...database,
    hsts: oneOf(env, 'HSTS', ['on', 'off', 'subdomains']),
    trustedProxies: trustedProxies(env),
    operatorContact: operatorContact(env),
    sourceUrl: sourceUrl(env),
    oidcIssuers: list(env, 'OIDC_ISSUERS', issuerAdvice, (entry) => issuerOf(entry, production)),
    oidcAudience: env.OIDC_AUDIENCE || publicUrl,
    registrationOpen: oneOf(env, 'REGISTRATION', ['open', 'closed']) === 'open',
    badgeCdn: oneOf(env, 'BADGE_CDN', ['off', 'on']) === 'on',
    rateLimitPerMinute: wholeNumber(env, 'RATE_LIMIT_PER_MINUTE', 60, 10_000),
    signUpsPerHour: wholeNumber(env, 'SIGN_UPS_PER_HOUR', 20, 10_000),
    streamsPerAddress: wholeNumber(env, 'STREAMS_PER_ADDRESS', 30, 100_000),
    streamsMax: wholeNumber(env, 'STREAMS_MAX', 10_000, 100_000),
    backupEverySeconds: backupEverySeconds(env, database),
    backupKeep: wholeNumber(env, 'BACKUP_KEEP', 7, 1_000),
    drainSeconds: drainSeconds(env),
    logLevel: oneOf(env, 'LOG_LEVEL', ['info', ...levels]),
    accessLog: share(env, 'ACCESS_LOG'),
    metricsPort: env.METRICS_PORT ? wholeNumber(env, 'METRICS_PORT', 0, 65_535) : null,
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

/** Refused with the embedded database, since half of what comes would go to another one. */
function reusePort(env: Environment, { databaseUrl }: DatabaseConfig): boolean {
  const isOn = oneOf(env, 'REUSE_PORT', ['off', 'on']) === 'on'
  if (!isOn || databaseUrl !== null) return isOn
  throw new ConfigError(
    'REUSE_PORT is on without DATABASE_URL: processes of one port need one database, so set it, or unset REUSE_PORT',
  )
}

/** Refused where it would do nothing: nobody can ask one process of a shared port whether it is ready. */
function drainSeconds(env: Environment): number {
  const seconds = wholeNumber(env, 'DRAIN_SECONDS', 0, 60)
  if (seconds === 0 || env.REUSE_PORT !== 'on') return seconds
  throw new ConfigError(
    'DRAIN_SECONDS does nothing with REUSE_PORT, where who ends takes no new connection: unset one of them',
  )
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

/** Refused where it would do nothing, since somebody would count on backups that nobody makes. */
function backupEverySeconds(env: Environment, { databaseUrl }: DatabaseConfig): number | null {
  const seconds = duration(env, 'BACKUP_EVERY')
  if (seconds === null || databaseUrl === null) return seconds
  throw new ConfigError(
    'BACKUP_EVERY is for the embedded database: with DATABASE_URL, unset it, and run "shipfeed dump" or pg_dump from a timer',
  )
}

function trustedProxies(env: Environment): readonly string[] {
  return list(env, 'TRUSTED_PROXIES', 'list IP addresses or CIDR ranges', (proxy) => {
    const [address = '', bits, ...rest] = proxy.split('/')
    const max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max)
    return max < 0 || !isRange || rest.length > 0 ? null : proxy
  })
}
