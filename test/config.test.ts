import { afterAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { ConfigError } from '../src/settings-reader.ts'
import { configurationOf } from './support/configuration.ts'
import { temporaryDirectory } from './support/process.ts'

test('an empty environment is a development service on port 3000 with a local database', () => {
  expect(readConfig({})).toMatchObject({
    production: false,
    port: 3000,
    baseUrl: 'http://localhost:3000',
    databaseUrl: null,
    databaseListenUrl: null,
    bell: 'notify',
    dataDir: './data',
    hsts: 'on',
    trustedProxies: [],
    registrationOpen: true,
    badgeCdn: false,
    operatorContact: null,
    sourceUrl: null,
    rateLimitPerMinute: 60,
    signUpsPerHour: 20,
    streamsPerAddress: 30,
    streamsMax: 10_000,
    drainSeconds: 0,
    reusePort: false,
    logLevel: 'info',
    accessLog: 0,
  })
})

test('an empty value counts as unset', () => {
  const names = ['PORT', 'HOST', 'BASE_URL', 'DATABASE_URL', 'DATA_DIR', 'TRUSTED_PROXIES', 'REGISTRATION']
  const limits = ['RATE_LIMIT_PER_MINUTE', 'SIGN_UPS_PER_HOUR', 'STREAMS_PER_ADDRESS', 'STREAMS_MAX']
  expect(readConfig(Object.fromEntries([...names, ...limits].map((name) => [name, ''])))).toEqual(
    readConfig({}),
  )
})

test('the configuration cannot be changed', () => {
  expect(Object.isFrozen(readConfig({}))).toBeTrue()
})

/** The settings that are whole numbers: 0 is among them only where it means something. Null: one of a capability. */
const wholeNumbers = [
  ['PORT', 0, 65_535, 'port'],
  ['RATE_LIMIT_PER_MINUTE', 0, 10_000, 'rateLimitPerMinute'],
  ['SIGN_UPS_PER_HOUR', 0, 10_000, 'signUpsPerHour'],
  ['STREAMS_PER_ADDRESS', 0, 100_000, 'streamsPerAddress'],
  ['STREAMS_MAX', 1, 100_000, 'streamsMax'],
  ['BACKUP_KEEP', 1, 1_000, null],
  ['PRUNE_AFTER', 1, 36_500, null],
  ['DRAIN_SECONDS', 0, 60, 'drainSeconds'],
  ['METRICS_PORT', 0, 65_535, null],
] as const

describe('a right value is accepted', () => {
  test.each([
    ['HOST', '::1', 'host', '::1'],
    ['BASE_URL', 'https://ship.example', 'baseUrl', 'https://ship.example'],
    ['BASE_URL', 'https://ship.example/', 'baseUrl', 'https://ship.example'],
    ['BASE_URL', 'HTTP://Ship.Example:8080', 'baseUrl', 'http://ship.example:8080'],
    ['BASE_URL', 'https://ship.example:443', 'baseUrl', 'https://ship.example'],
    ['BASE_URL', 'http://[::1]:3000', 'baseUrl', 'http://[::1]:3000'],
    ['BASE_URL', 'https://example.org/our/ship/', 'baseUrl', 'https://example.org/our/ship'],
    ['DATABASE_URL', 'postgres://u:p@h:5432/d', 'databaseUrl', 'postgres://u:p@h:5432/d'],
    ['DATABASE_URL', 'postgresql://h/d', 'databaseUrl', 'postgresql://h/d'],
    ['DATA_DIR', '/var/lib/shipfeed', 'dataDir', '/var/lib/shipfeed'],
    ['HSTS', 'off', 'hsts', 'off'],
    ['HSTS', 'subdomains', 'hsts', 'subdomains'],
    ['REGISTRATION', 'open', 'registrationOpen', true],
    ['REGISTRATION', 'closed', 'registrationOpen', false],
    ['BADGE_CDN', 'on', 'badgeCdn', true],
    ['BADGE_CDN', 'off', 'badgeCdn', false],
    ['OPERATOR_CONTACT', ' ops@ship.example ', 'operatorContact', 'ops@ship.example'],
    ['OPERATOR_CONTACT', 'a'.repeat(200), 'operatorContact', 'a'.repeat(200)],
    ['SOURCE_URL', 'https://git.ship.example/ours', 'sourceUrl', 'https://git.ship.example/ours'],
    ['REUSE_PORT', 'off', 'reusePort', false],
    ['LOG_LEVEL', 'error', 'logLevel', 'error'],
    ['ACCESS_LOG', '0', 'accessLog', 0],
    ['ACCESS_LOG', '0.01', 'accessLog', 0.01],
    ['ACCESS_LOG', '1', 'accessLog', 1],
    ['TRUSTED_PROXIES', '127.0.0.1', 'trustedProxies', ['127.0.0.1']],
    ['TRUSTED_PROXIES', ' 10.0.0.0/8 ,, ::1, fd00::/8 ', 'trustedProxies', ['10.0.0.0/8', '::1', 'fd00::/8']],
    ['TRUSTED_PROXIES', '0.0.0.0/0,::/0', 'trustedProxies', ['0.0.0.0/0', '::/0']],
    ['TRUSTED_PROXIES', '10.0.0.1/32,::1/128', 'trustedProxies', ['10.0.0.1/32', '::1/128']],
  ])('%s=%s', (name, value, key, expected) => {
    expect(readConfig({ [name]: value })).toHaveProperty(key, expected)
  })

  test.each(wholeNumbers)('%s from %d to %d, and no value beyond', (name, least, most, key) => {
    for (const value of [least, most]) {
      const { config } = configurationOf({ [name]: String(value) })
      if (key !== null) expect(config).toHaveProperty(key, value)
    }
    for (const beyond of [least - 1, most + 1]) {
      expect(messageOf({ [name]: String(beyond) })).toBe(
        `${name} is "${beyond}": set a whole number from ${least} to ${most}`,
      )
    }
  })

  test.each([
    ['WEBHOOKS', 'any', { webhooks: 'any' }],
    ['WEBHOOKS', 'public', { webhooks: 'public' }],
    ['BACKUP_EVERY', '1m', { backupEverySeconds: 60 }],
    ['BACKUP_EVERY', '24h', { backupEverySeconds: 86_400 }],
    ['BACKUP_EVERY', '14d', { backupEverySeconds: 1_209_600 }],
  ])('%s=%s is noted for commands', (name, value, noted) => {
    expect(configurationOf({ [name]: value }).service).toMatchObject(noted)
  })

  test('the public address follows the port if it is not set', () => {
    expect(readConfig({ PORT: '8080' }).baseUrl).toBe('http://localhost:8080')
  })
})

const wrong: Readonly<Record<string, readonly string[]>> = {
  PORT: ['3000.5', '3e3', '0x10', ' 3000', 'http', '99999999999999999999', '1\n2'],
  BASE_URL: [
    ...['ship.example', 'ship.example:3000', 'ftp://ship.example', 'https://', 'https://ship .example\n'],
    ...[
      'https://ship.example/a%20b',
      'https://ship.example//a',
      'https://ship.example/?a=b',
      'https://ship.example/#a',
    ],
    'https://user:word@ship.example',
  ],
  DATABASE_URL: [
    'mysql://h/d',
    'localhost:5432',
    './data.db',
    'postgres://h/d?target_session_attrs=standby',
    'postgres://h/d?target_session_attrs=some',
  ],
  HSTS: ['preload', 'true', 'ON'],
  REGISTRATION: ['no', 'OPEN', 'constructor'],
  WEBHOOKS: ['on', 'PUBLIC', 'private'],
  TRUSTED_USER_HEADER: ['Remote User', 'Remote-User:', 'a\nb'],
  VISIBILITY: ['private', 'MEMBERS', 'on'],
  BADGES: ['members', 'public', 'on'],
  REPORTS: ['yes', 'ON'],
  BADGE_CDN: ['ON', 'true', '1', '60'],
  OPERATOR_CONTACT: ['a'.repeat(201), 'two\nlines'],
  SOURCE_URL: ['git.ship.example', 'javascript:alert(1)', 'ssh://git@ship.example/a'],
  RATE_LIMIT_PER_MINUTE: ['off', '-1'],
  SIGN_UPS_PER_HOUR: ['1.5'],
  STREAMS_PER_ADDRESS: ['many'],
  STREAMS_MAX: ['1e4'],
  METRICS_PORT: ['on'],
  REUSE_PORT: ['yes', 'ON', '1'],
  PRUNE_AFTER: ['90d', '1.5', 'off', '2025-01-01'],
  BACKUP_EVERY: ['24', '59s', '15d', '0h', 'daily'],
  LOG_LEVEL: ['warning', 'INFO'],
  ACCESS_LOG: ['1.01', '-0.5', '1%', '.', 'on'],
  TRUSTED_PROXIES: [
    ...['proxy.example', '127.0.0.1, *', '10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/8/8'],
    ...['10.0.0.0/-1', '10.0.0', '127.0.0.1\n::x'],
  ],
}

describe('a wrong value stops the start with one line that names it', () => {
  test.each(Object.entries(wrong))('%s', (name, values) => {
    const messages = values.map((value) => messageOf({ [name]: value }))
    expect(messages.filter((message) => !message.startsWith(name) || message.includes('\n'))).toEqual([])
  })

  test('production needs BASE_URL, and accepts plain http too', () => {
    expect(messageOf({ NODE_ENV: 'production' })).toStartWith('BASE_URL is not set')
    expect(readConfig({ NODE_ENV: 'production', BASE_URL: 'http://ship.example' }).production).toBeTrue()
  })

  test('backups that would not be made are refused', () => {
    const message = messageOf({ BACKUP_EVERY: '24h', DATABASE_URL: 'postgres://u:secret@h/d' })
    expect(message).toStartWith('BACKUP_EVERY is for the database in DATA_DIR')
    expect(message).not.toMatch(/\n|secret/)
  })

  test('REUSE_PORT is refused with a local database, and with a drain, which would have no effect', () => {
    const shared = { REUSE_PORT: 'on', DATABASE_URL: 'postgres://u:secret@h/d' }
    expect(readConfig({ ...shared, DRAIN_SECONDS: '0' })).toMatchObject({ reusePort: true, drainSeconds: 0 })
    expect(messageOf({ REUSE_PORT: 'on' })).toStartWith('REUSE_PORT is on without DATABASE_URL: ')
    expect(messageOf({ ...shared, DRAIN_SECONDS: '1' })).toStartWith(
      'DRAIN_SECONDS has no effect with REUSE_PORT',
    )
  })

  test('a proxy that signs in is trusted only if it is listed', () => {
    const header = { TRUSTED_USER_HEADER: 'Remote-User' }
    expect(messageOf(header)).toBe(
      'TRUSTED_USER_HEADER is trusted only from TRUSTED_PROXIES: list your proxy there',
    )
    expect(messageOf({ TRUSTED_NAME_HEADER: 'Remote-Name' })).toStartWith('TRUSTED_NAME_HEADER needs')
    const { service } = configurationOf({ ...header, TRUSTED_PROXIES: '127.0.0.1' })
    expect([service.proxySignsIn, configurationOf({}).service.proxySignsIn]).toEqual([true, false])
  })

  test('BADGES=public is accepted only with VISIBILITY=members', () => {
    const closed = { membersOnly: true }
    expect(configurationOf({ VISIBILITY: 'members' }).site).toMatchObject({ ...closed, publicBadges: false })
    expect(configurationOf({ VISIBILITY: 'members', BADGES: 'public' }).site).toMatchObject({
      ...closed,
      publicBadges: true,
    })
    expect(configurationOf({ VISIBILITY: 'public' }).site).not.toHaveProperty('membersOnly')
    expect(messageOf({ BADGES: 'public' })).toBe(
      'BADGES needs VISIBILITY=members: set that too, or unset BADGES',
    )
  })

  test('the password of a wrong DATABASE_URL is not repeated', () => {
    expect(messageOf({ DATABASE_URL: 'mysql://user:secret@h/d' })).not.toContain('secret')
  })
})

describe('DATABASE_URL_FILE', () => {
  const directory = temporaryDirectory()
  afterAll(directory.remove)
  const file = join(directory.path, 'database-url')

  test.each(['postgres://u:p@h/d', 'postgres://u:p@h/d\n', 'postgres://u:p@h/d\r\n'])(
    'may hold %j',
    (text) => {
      writeFileSync(file, text)
      expect(readConfig({ DATABASE_URL_FILE: file, DATABASE_URL: '' }).databaseUrl).toBe('postgres://u:p@h/d')
    },
  )

  test.each([
    ['that is empty', '\n', { DATABASE_URL_FILE: file }, 'which is empty'],
    [
      'together with DATABASE_URL',
      'postgres://h/d',
      { DATABASE_URL_FILE: file, DATABASE_URL: 'postgres://h/d' },
      'both',
    ],
    ['that is not there', '', { DATABASE_URL_FILE: `${file}.new` }, 'ENOENT'],
    ['that is a folder', '', { DATABASE_URL_FILE: directory.path }, 'EISDIR'],
    ['with something else', 'mysql://u:secret@h/d', { DATABASE_URL_FILE: file }, 'not a Postgres address'],
  ])('%s is refused in one line', (_, text, env, reason) => {
    writeFileSync(file, text)
    const message = messageOf(env)
    expect(message).toStartWith('DATABASE_URL')
    expect(message).toContain(reason)
    expect(message).not.toMatch(/\n|secret/)
  })
})

function messageOf(env: Record<string, string>): string {
  try {
    configurationOf(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  throw new Error('the value was taken')
}

describe('OIDC_ISSUERS', () => {
  test.each([
    ['https://token.actions.githubusercontent.com', 'github'],
    ['https://github.example/_services/token', 'github'],
    ['https://token.actions.octo.ghe.com', 'github'],
    ['https://gitlab.com', 'gitlab'],
    ['https://gitlab.example.org', 'gitlab'],
    ['https://ci.example/', 'other'],
    ['http://127.0.0.1:8080/x', 'other'],
  ])('accepts %s as it is spelled, and reads it as %s', (address, kind) => {
    const { site } = configurationOf({ OIDC_ISSUERS: ` ${address}, gitlab+https://git.example ` })
    expect<unknown>(site.issuers).toEqual([
      { address, kind },
      { address: 'https://git.example', kind: 'gitlab' },
    ])
  })

  test.each([
    'gitlab.com',
    'http://gitlab.com',
    'https://gitlab.com?x',
    'https://a:b@gitlab.com',
    'https://GitLab.com',
    'ftp://a',
  ])('refuses %s', (entry) => {
    expect(() => configurationOf({ OIDC_ISSUERS: entry })).toThrow(
      `OIDC_ISSUERS has "${entry}": list https://`,
    )
  })

  test('must be https in production', () => {
    const production = { NODE_ENV: 'production', BASE_URL: 'https://ship.example' }
    expect(() => configurationOf({ ...production, OIDC_ISSUERS: 'http://127.0.0.1' })).toThrow(ConfigError)
    expect(configurationOf(production).site.audience).toBe('https://ship.example')
  })
})
