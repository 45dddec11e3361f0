import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Address,
  addressesIn,
  readAddresses,
  reportPlain,
} from '../../../src/database/postgres/addresses.ts'
import { connectTo } from '../../../src/database/postgres/serving-server.ts'
import { poolSettings } from '../../../src/database/session-settings.ts'
import { needing } from '../../support/needs/needs.ts'
import { startPostgresCluster } from '../../support/postgres/cluster.ts'
import { freePort } from '../../support/process.ts'

test.each([
  ['postgres://u:p@h/db', [{ host: 'h', port: 5432 }]],
  ['postgresql://h:5433/db?sslmode=require', [{ host: 'h', port: 5433 }]],
  ['postgres://u@[::1]:5433/db', [{ host: '::1', port: 5433 }]],
  [
    'postgres://u@a:1,b:2/db?target_session_attrs=read-write',
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
  ],
  [
    'postgres://u@a,b:2/db',
    [
      { host: 'a', port: 5432 },
      { host: 'b', port: 2 },
    ],
  ],
  [
    'postgres://u@/db?host=a,b&port=7',
    [
      { host: 'a', port: 7 },
      { host: 'b', port: 7 },
    ],
  ],
  ['postgres:///db', [{ host: 'localhost', port: 5432 }]],
  ['postgres:///db?host=/run/pg', [{ path: '/run/pg/.s.PGSQL.5432' }]],
  ['postgres://u@%2Frun%2Fpg:5433/db', [{ path: '/run/pg/.s.PGSQL.5433' }]],
  ['postgres://h/db?target_session_attrs=some', null],
  ['mysql://h/db', null],
  ['postgres://h:99999/db', null],
  ['postgres://h:port/db', null],
  ['postgres://a b/db', null],
  ['postgres://u:%zz@h/db', null],
  ['h/db', null],
])('%s leads to %j', (url, endpoints) => {
  const read = readAddresses(url)
  const found = read.outcome === 'valid' ? read.addresses.map(({ endpoint }) => endpoint) : null
  expect<unknown>(found).toEqual(endpoints)
})

test.each([
  ['postgres://u:p%40@h/d', { user: 'u', password: 'p@', database: 'd' }],
  ['postgres:///?user=u&password=p%26&dbname=d', { user: 'u', password: 'p&', database: 'd' }],
  ['postgres://u:p@h/d?user=v&dbname=e', { user: 'v', password: 'p', database: 'e' }],
  ['postgres://h', {}],
  [
    'postgres://h?application_name=ada&options=-c%20a%3Db',
    { connection: { application_name: 'ada', options: '-c a=b' } },
  ],
] as const)('%s says who asks for which database: %j', (url, session) => {
  expect(found(url)[0]?.session).toEqual({ connection: { application_name: 'shipfeed' }, ...session })
})

const authority = join(import.meta.dir, 'addresses.test.ts')
const ca = readFileSync(authority, 'utf8')
const unnamed = { checkServerIdentity: expect.any(Function) }

test.each([
  ['', null],
  ['sslmode=disable', false],
  ['ssl=false', false],
  ['sslmode=allow', 'prefer'],
  ['sslmode=prefer', 'prefer'],
  [`sslmode=prefer&sslrootcert=${authority}`, 'prefer'],
  ['sslmode=require', 'require'],
  ['ssl=require', 'require'],
  ['sslmode=require&channel_binding=require', 'require'],
  ['sslmode=verify-ca', unnamed],
  ['sslmode=verify-full', {}],
  ['ssl=true', {}],
  ['sslrootcert=system', {}],
  [`sslrootcert=${authority}`, { ca }],
  [`sslmode=verify-full&sslrootcert=${authority}`, { ca }],
  [`sslmode=require&sslrootcert=${authority}`, { ca, ...unnamed }],
])('with ?%s, the TLS of a connection is %j', (query, tls) => {
  expect<unknown>(found(`postgres://h/d?${query}`)[0]?.tls).toEqual(tls)
})

test.each([
  ['pgbouncer=true', 'has the parameter pgbouncer, which Shipfeed does not know: remove it'],
  ['sslmode=require&schema=public', 'has the parameter schema, which'],
  ['sslcert=a', 'has the parameter sslcert, which'],
  ['word@h/d', 'has a parameter, which'],
  ['sslmode=on', 'has a wrong sslmode: set one of disable, allow, prefer, require, verify-ca, verify-full'],
  ['target_session_attrs=some', 'has a wrong target_session_attrs: set one of any, read-write,'],
  ['sslrootcert=/none', 'names an sslrootcert that cannot be read (ENOENT): name'],
])('?%s is refused in one line', (query, reason) => {
  const read = readAddresses(`postgres://u:5?${query}`)
  expect(read).toEqual({ outcome: 'invalid', reason: expect.stringContaining(reason) })
  expect(JSON.stringify(read)).not.toMatch(/\\n|word/)
})

test('all that libpq knows and that makes nothing less safe is accepted', () => {
  const others =
    'client_encoding=UTF8&connect_timeout=10&fallback_application_name=a&gssencmode=prefer&keepalives=1&keepalives_count=3&keepalives_idle=10&keepalives_interval=5&krbsrvname=a&load_balance_hosts=random&sslcompression=0&sslnegotiation=postgres&sslsni=1&tcp_user_timeout=5'
  expect(found(`postgres://u:p@h/d?${others}`)).toEqual(found('postgres://u:p@h/d'))
})

function found(url: string): readonly Address[] {
  return addressesIn('DATABASE_URL', url)
}

needing('postgresql').test(
  'a connection by a socket, and one to the second of two hosts, opens',
  async () => {
    const cluster = await startPostgresCluster()
    const { port } = new URL(cluster.url)
    const urls = [
      `postgres://postgres@/postgres?host=${encodeURIComponent(cluster.socketFolder)}&port=${port}`,
      `postgres://postgres@${encodeURIComponent(cluster.socketFolder)}:${port}/postgres`,
      `postgres:///postgres?user=postgres&port=${port}&host=${cluster.socketFolder}&connect_timeout=10`,
      `postgres://postgres@127.0.0.1:${freePort()},127.0.0.1:${port}/postgres?target_session_attrs=read-write`,
    ]
    for (const url of urls) {
      const connection = await connectTo(addressesIn('DATABASE_URL', url))(poolSettings)
      expect(connection.isOpen).toBe(true)
      connection.end()
    }
    await cluster.remove()
  },
)

test.each([
  ['postgres://u@db.example/d', 'db.example:5432'],
  ['postgres://u@10.0.0.5:6000/d', '10.0.0.5:6000'],
  ['postgres://u@a.example,b/d', 'a.example:5432'],
  ['postgres://u@[fd00::1]/d', 'fd00::1:5432'],
  ...['localhost', 'postgres', '127.0.0.1', '[::1]', '%2Frun%2Fpg'].map((host) => [
    `postgres://u@${host}/d`,
    null,
  ]),
  ...['disable', 'require', 'verify-full'].map((mode) => [`postgres://u@db.example/d?sslmode=${mode}`, null]),
] as [string, string | null][])('of %s, the servers without TLS are reported: %j', (url, names) => {
  const reported: string[] = []
  reportPlain('DATABASE_URL', addressesIn('DATABASE_URL', url), (news) => reported.push(news))
  expect(reported).toEqual(
    names === null ? [] : [expect.stringContaining(`leads to ${names} without TLS: add`)],
  )
})
