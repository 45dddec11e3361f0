import { isIP } from 'node:net'
import { variables } from './settings.ts'
import {
  ConfigError,
  commaSeparated,
  type Environment,
  onlyForPostgres,
  postgresUrl,
  settingsIn,
} from './settings-reader.ts'

export type Config = ReturnType<typeof readConfig>

/** Reads the settings of the core (docs/reference.md#settings). Throws ConfigError. */
export function readConfig(env: Environment) {
  const settings = settingsIn(env, variables)
  const production = env.NODE_ENV === 'production'
  /** 0: any free port. */
  const port = settings.wholeNumber('PORT')
  /** The public address, perhaps with a path, but no trailing slash. Links and snippets start with it. */
  const publicUrl = baseUrl(env, production, port)
  const config = {
    production,
    host: env.HOST || variables.HOST.default,
    port,
    reusePort: settings.oneOf('REUSE_PORT') === 'on',
    baseUrl: publicUrl,
    ...databaseConfig(env, settings),
    /** Whether an https address sends Strict-Transport-Security, and whether for subdomains too. */
    hsts: settings.oneOf('HSTS'),
    trustedProxies: trustedProxies(env),
    operatorContact: operatorContact(env),
    sourceUrl: sourceUrl(env),
    registrationOpen: settings.oneOf('REGISTRATION') === 'open',
    badgeCdn: settings.oneOf('BADGE_CDN') === 'on',
    rateLimitPerMinute: settings.wholeNumber('RATE_LIMIT_PER_MINUTE'),
    signUpsPerHour: settings.wholeNumber('SIGN_UPS_PER_HOUR'),
    streamsPerAddress: settings.wholeNumber('STREAMS_PER_ADDRESS'),
    streamsMax: settings.wholeNumber('STREAMS_MAX'),
    drainSeconds: settings.wholeNumber('DRAIN_SECONDS'),
    logLevel: settings.oneOf('LOG_LEVEL'),
    accessLog: settings.fraction('ACCESS_LOG'),
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

function databaseConfig(env: Environment, settings: ReturnType<typeof settingsIn<typeof variables>>) {
  return {
    /** Null: a Postgres of the service in `dataDir`. */
    databaseUrl: postgresUrl(env, 'DATABASE_URL', readOnly),
    dataDir: env.DATA_DIR || variables.DATA_DIR.default,
    /** The same database without a pooler, for work that needs a session of its own. */
    databaseListenUrl: postgresUrl(env, 'DATABASE_LISTEN_URL', readOnly),
    bell: settings.oneOf('BELL'),
  }
}

/** Refuses settings that contradict each other, or would have no effect although the operator relies on them. */
function refuseConflicts(env: Environment, config: Config): void {
  const { databaseUrl, reusePort } = config
  if (databaseUrl === null) onlyForPostgres(env, ['DATABASE_LISTEN_URL', 'DATABASE_LISTEN_URL_FILE', 'BELL'])
  const conflicts: readonly (readonly [isSo: boolean, says: string])[] = [
    [
      reusePort && databaseUrl === null,
      'REUSE_PORT is on without DATABASE_URL: processes on one port need one database, so set DATABASE_URL, or unset REUSE_PORT',
    ],
    [
      reusePort && config.drainSeconds > 0,
      'DRAIN_SECONDS has no effect with REUSE_PORT, because a stopping process on a shared port accepts no new connections: unset DRAIN_SECONDS or REUSE_PORT',
    ],
  ]
  for (const [isSo, says] of conflicts) if (isSo) throw new ConfigError(says)
}
