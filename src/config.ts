import { isIP } from 'node:net'
import { readAddresses } from './database/postgres/addresses.ts'
import { issuerAdvice, issuerOf } from './domain/publisher/issuer.ts'
import { variables } from './settings.ts'
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
  wholeNumberOrNull,
} from './settings-reader.ts'

export type Config = ReturnType<typeof readConfig>

/** Reads and checks the environment (docs/reference.md#settings); throws ConfigError. */
export function readConfig(env: Environment) {
  const production = env.NODE_ENV === 'production'
  /** 0: any free port. */
  const port = wholeNumber(env, 'PORT')
  /** The public address, perhaps with a path, but no trailing slash. Links and snippets start with it. */
  const publicUrl = baseUrl(env, production, port)
  const config = {
    production,
    host: env.HOST || variables.HOST.usual,
    port,
    reusePort: oneOf(env, 'REUSE_PORT') === 'on',
    baseUrl: publicUrl,
    ...databaseConfig(env),
    /** Whether an https address sends Strict-Transport-Security, and whether for subdomains too. */
    hsts: oneOf(env, 'HSTS'),
    trustedProxies: trustedProxies(env),
    /** The headers in which trusted proxies name the signed-in user. Null: users sign in here with passwords. */
    trustedUser: trustedUser(env),
    operatorContact: operatorContact(env),
    sourceUrl: sourceUrl(env),
    /** The issuers whose pipelines may announce without a secret, and the audience their tokens must name. */
    oidcIssuers: commaSeparated(env, 'OIDC_ISSUERS', issuerAdvice, (entry) => issuerOf(entry, production)),
    oidcAudience: env.OIDC_AUDIENCE || publicUrl,
    registrationOpen: oneOf(env, 'REGISTRATION') === 'open',
    ...visibility(env),
    /** Whether webhooks are sent, and whether only to public addresses (docs/decisions.md#webhooks). */
    webhooks: oneOf(env, 'WEBHOOKS'),
    takesReports: oneOf(env, 'REPORTS') === 'on',
    badgeCdn: oneOf(env, 'BADGE_CDN') === 'on',
    /** Announcements per user and minute. 0: no limit. */
    rateLimitPerMinute: wholeNumber(env, 'RATE_LIMIT_PER_MINUTE'),
    /** New accounts per address and hour. 0: no limit. */
    signUpsPerHour: wholeNumber(env, 'SIGN_UPS_PER_HOUR'),
    /** Open feeds per address. 0: none, so that every page polls. */
    streamsPerAddress: wholeNumber(env, 'STREAMS_PER_ADDRESS'),
    streamsMax: wholeNumber(env, 'STREAMS_MAX'),
    backupEverySeconds: duration(env, 'BACKUP_EVERY'),
    backupKeep: wholeNumber(env, 'BACKUP_KEEP'),
    /** After how many whole days the service deletes deployments. Null: never. */
    pruneAfterDays: wholeNumberOrNull(env, 'PRUNE_AFTER'),
    /** For how long the service goes on after a signal to stop, with 503 on /readyz. 0: not at all. */
    drainSeconds: wholeNumber(env, 'DRAIN_SECONDS'),
    logLevel: oneOf(env, 'LOG_LEVEL'),
    /** The fraction of requests that get a line in the log. 0: none, 1: all. */
    accessLog: fraction(env, 'ACCESS_LOG'),
    /** Where the metrics are served. 0: on any free port; null: nowhere. */
    metricsPort: wholeNumberOrNull(env, 'METRICS_PORT'),
    metricsHost: env.METRICS_HOST || variables.METRICS_HOST.usual,
  }
  refuseConflicts(env, config)
  return Object.freeze(config)
}

function baseUrl(env: Environment, production: boolean, port: number): string {
  const text = env.BASE_URL || (production ? '' : `http://localhost:${port}`)
  if (text === '') {
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

function trustedUser(env: Environment) {
  const userHeader = headerName(env, 'TRUSTED_USER_HEADER')
  const nameHeader = headerName(env, 'TRUSTED_NAME_HEADER')
  if (userHeader !== null) return { userHeader, nameHeader }
  if (nameHeader === null) return null
  throw new ConfigError('TRUSTED_NAME_HEADER needs TRUSTED_USER_HEADER: set it')
}

/** Whether only members may read (docs/decisions.md#members-only), and whether badges and years stay public. */
function visibility(env: Environment) {
  const membersOnly = oneOf(env, 'VISIBILITY') === 'members'
  const publicBadges = oneOf(env, 'BADGES') === 'public'
  return { membersOnly, publicBadges: publicBadges || !membersOnly }
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

function trustedProxies(env: Environment): readonly string[] {
  return commaSeparated(env, 'TRUSTED_PROXIES', 'list IP addresses or CIDR ranges', (proxy) => {
    const [address = '', bits, ...rest] = proxy.split('/')
    const max = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= max)
    return max < 0 || !isRange || rest.length > 0 ? null : proxy
  })
}

const readOnly = ['read-only', 'standby', 'prefer-standby']

function databaseConfig(env: Environment) {
  return {
    /** Null: a Postgres of the service in `dataDir`. */
    databaseUrl: postgresUrl(env, 'DATABASE_URL', readOnly),
    dataDir: env.DATA_DIR || variables.DATA_DIR.usual,
    /** The same database without a pooler, for work that needs a session of its own. */
    databaseListenUrl: postgresUrl(env, 'DATABASE_LISTEN_URL', readOnly),
    /** Standbys that answer read-only queries. Each host is one standby. */
    databaseReadUrl: postgresUrl(env, 'DATABASE_READ_URL'),
    reads: oneOf(env, 'READS'),
    bell: oneOf(env, 'BELL'),
  }
}

/** Refuses settings that contradict each other, or would have no effect although the operator relies on them. */
function refuseConflicts(env: Environment, config: Config): void {
  const { databaseUrl, reusePort, membersOnly } = config
  const addresses = ['DATABASE_LISTEN_URL', 'DATABASE_READ_URL'].flatMap((name) => [name, `${name}_FILE`])
  const forPostgres = [...addresses, 'READS', 'BELL']
    .filter((name) => env[name])
    .map((name) => `${name} is for a Postgres of your own: set DATABASE_URL too, or unset ${name}`)
  const conflicts: readonly (readonly [isSo: boolean, says: string])[] = [
    ...forPostgres.map((says) => [databaseUrl === null, says] as const),
    [
      Boolean(env.READS) && config.databaseReadUrl === null,
      'READS is for standbys: set DATABASE_READ_URL too, or unset READS',
    ],
    [
      reusePort && databaseUrl === null,
      'REUSE_PORT is on without DATABASE_URL: processes on one port need one database, so set DATABASE_URL, or unset REUSE_PORT',
    ],
    [
      reusePort && config.drainSeconds > 0,
      'DRAIN_SECONDS has no effect with REUSE_PORT, because a stopping process on a shared port accepts no new connections: unset DRAIN_SECONDS or REUSE_PORT',
    ],
    [
      config.trustedUser !== null && config.trustedProxies.length === 0,
      'TRUSTED_USER_HEADER is trusted only from TRUSTED_PROXIES: list your proxy there',
    ],
    [Boolean(env.BADGES) && !membersOnly, 'BADGES needs VISIBILITY=members: set that too, or unset BADGES'],
    [
      config.backupEverySeconds !== null && databaseUrl !== null,
      'BACKUP_EVERY is for the database in DATA_DIR: with DATABASE_URL, unset it, and run "shipfeed dump" or pg_dump from a timer',
    ],
  ]
  for (const [isSo, says] of conflicts) if (isSo) throw new ConfigError(says)
}

function postgresUrl(env: Environment, name: string, refused: readonly string[] = []): string | null {
  const text = secret(env, name)
  if (text === '') return null
  const read = readAddresses(text)
  if (read.outcome === 'invalid') throw new ConfigError(`${name} ${read.reason}`)
  if (read.addresses.some(({ wanted }) => refused.includes(wanted)))
    throw new ConfigError(`${name} must lead to a server that takes writes: remove its target_session_attrs`)
  return text
}
