import { expect, test } from 'bun:test'
import { addressesIn, addressesOf, reportPlain } from '../../../src/database/postgres/addresses.ts'
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
  expect<unknown>(addressesOf(url)?.map(({ endpoint }) => endpoint) ?? null).toEqual(endpoints)
})

needing('postgresql').test(
  'a connection by a socket, and one to the second of two hosts, opens',
  async () => {
    const cluster = await startPostgresCluster()
    const { port } = new URL(cluster.url)
    const urls = [
      `postgres://postgres@/postgres?host=${encodeURIComponent(cluster.socketFolder)}&port=${port}`,
      `postgres://postgres@127.0.0.1:${freePort()},127.0.0.1:${port}/postgres?target_session_attrs=read-write`,
    ]
    for (const url of urls) {
      const connection = await connectTo(addressesOf(url) ?? [])(poolSettings)
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
