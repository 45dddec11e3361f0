import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import postgres from 'postgres'
import { bellChannel, hearBell } from '../../src/database/bell.ts'
import { addressesIn } from '../../src/database/postgres/addresses.ts'
import { connectTo } from '../../src/database/postgres/serving-server.ts'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/postgres/fault-proxy.ts'

describe('The bell of Postgres', () => {
  let drop: () => Promise<void>
  let direct: postgres.Sql
  let proxy: FaultProxy
  let rings = 0
  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    direct = postgres(database.url, { max: 1, onnotice: () => {} })
    proxy = await startFaultProxy(database.url)
  })
  beforeEach(() => {
    rings = 0
  })
  afterAll(async () => {
    await proxy.close()
    await direct.end()
    await drop()
  })

  const hear = () => hearBell(connectTo(addressesIn('DATABASE_URL', proxy.url)), () => (rings += 1))
  const rung = (count: number) => eventually(`it rings ${count} times`, () => rings >= count)
  const pull = () => direct`select pg_notify(${bellChannel}, '')`
  const listeners = () => direct<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = current_database() and application_name = 'shipfeed bell'`

  test('rings when it begins to listen, and once per notification', async () => {
    const bell = hear()
    await rung(1)
    for (let count = 2; count < 5; count += 1) {
      await pull()
      await rung(count)
    }
    expect(rings).toBe(4)
    await bell.stop()
    await eventually('nobody listens', async () => (await listeners()).length === 0)
  })

  test('rings when it listens again after its connection was ended, because notifications may have been missed', async () => {
    const bell = hear()
    await rung(1)
    await direct`select pg_terminate_backend(${(await listeners())[0]?.pid ?? 0})`
    await rung(2)
    await pull()
    await rung(3)
    await bell.stop()
  })

  test('listens again after an outage in which no connection could be opened', async () => {
    const bell = hear()
    await rung(1)
    await proxy.close()
    await Bun.sleep(1_000)
    expect(rings).toBe(1)
    await proxy.open()
    await rung(2)
    await pull()
    await rung(3)
    await bell.stop()
  })

  test('listens again within seconds after its connection silently died', async () => {
    const bell = hear()
    await rung(1)
    proxy.forget()
    await pull()
    await rung(2)
    await pull()
    await rung(3)
    await bell.stop()
  })

  test('listens to a Postgres that comes up later', async () => {
    await proxy.close()
    const bell = hear()
    await Bun.sleep(500)
    await proxy.open()
    await rung(1)
    await bell.stop()
  })

  test('can be stopped while there is no Postgres, and then stops trying', async () => {
    await proxy.close()
    const bell = hear()
    await Bun.sleep(300)
    await bell.stop()
    await proxy.open()
    await Bun.sleep(700)
    expect(rings).toBe(0)
    // A slow server ends those of before a moment later.
    await eventually('nobody listens', async () => (await listeners()).length === 0)
  })
})
