import { afterAll, beforeAll, expect, test } from 'bun:test'
import { addressesIn } from '../../../src/database/postgres/addresses.ts'
import { connectTo } from '../../../src/database/postgres/serving-server.ts'
import { poolSettings } from '../../../src/database/session-settings.ts'
import { patience } from '../../support/eventually.ts'
import { needing } from '../../support/needs/needs.ts'
import { type PostgresCluster, startPostgresCluster } from '../../support/postgres/cluster.ts'
import { type FaultProxy, startFaultProxy } from '../../support/postgres/fault-proxy.ts'
import { freePort } from '../../support/process.ts'

/** The longest time to find a promoted primary (docs/decisions.md#operation). */
const foundMs = 2_000

needing('postgresql').describe('Of several hosts', () => {
  let primary: PostgresCluster
  let standby: PostgresCluster
  let first: FaultProxy
  let second: FaultProxy
  const news: string[] = []

  beforeAll(async () => {
    primary = await startPostgresCluster()
    standby = await primary.addStandby('standby')
    first = await startFaultProxy(primary.url)
    second = await startFaultProxy(primary.url)
  })
  afterAll(async () => {
    for (const proxy of [first, second]) await proxy.close()
    await standby.remove()
    await primary.remove()
  })

  const connector = (hosts: readonly string[], query = '') => {
    const url = `postgres://postgres@${hosts.join(',')}/postgres${query}`
    return connectTo(addressesIn('DATABASE_URL', url), (name) => news.push(name))
  }
  const hostOf = ({ url }: { readonly url: string }) => new URL(url).host

  test('the one that accepts writes is used, even if a standby comes first', async () => {
    const connection = await connector([hostOf(standby), hostOf(first)])(poolSettings)
    await connection.queries.execute('create table written (n int)')
    connection.end()
  })

  test('none is used if none accepts writes, and the error names the reason of each', async () => {
    const nobody = `127.0.0.1:${freePort()}`
    const refused = await connector([hostOf(standby), nobody])(poolSettings).catch(String)
    expect(refused).toStartWith(`Error: ${hostOf(standby)} is read-only, `)
  })

  test('a single read-only one is used, unless the address asks for one that accepts writes', async () => {
    const connection = await connector([hostOf(standby)])(poolSettings)
    connection.end()
    for (const word of ['read-write', 'primary']) {
      const asked = connector([hostOf(standby)], `?target_session_attrs=${word}`)(poolSettings)
      expect(await asked.catch(String)).toEndWith('is read-only')
    }
  })

  test.each<[string, (proxy: FaultProxy) => unknown, (proxy: FaultProxy) => unknown]>([
    ['refuses', (proxy) => proxy.close(), (proxy) => proxy.open()],
    ['says nothing', (proxy) => proxy.set('silent'), (proxy) => proxy.set('forward')],
  ])(
    'the next one is found in time if the one in use %s, and connections to the latter are ended',
    async (_, fail, mend) => {
      const connect = connector([hostOf(first), hostOf(second)])
      const before = await connect(poolSettings)
      news.length = 0
      await fail(first)
      const begunAt = performance.now()
      const after = await connect(poolSettings)
      expect(performance.now() - begunAt).toBeLessThan(patience(foundMs))
      expect(news).toEqual([hostOf(second)])
      expect([before.isOpen, after.isOpen]).toEqual([false, true])
      after.end()
      await mend(first)
    },
  )

  test('a promoted one is found in time while the previous one hangs', async () => {
    const connect = connector([hostOf(first), hostOf(standby)])
    ;(await connect(poolSettings)).end()
    primary.freeze()
    const waiting = [connect(poolSettings), connect(poolSettings)]
    await Bun.sleep(1_500)
    await standby.promote()
    const begunAt = performance.now()
    for (const connection of await Promise.all(waiting)) connection.end()
    expect(performance.now() - begunAt).toBeLessThan(patience(foundMs))
    primary.thaw()
  })
})
