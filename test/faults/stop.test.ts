import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createPostgresDatabase } from '../support/database.ts'
import { patience, untilReady } from '../support/eventually.ts'
import { type FaultProxy, startFaultProxy } from '../support/postgres/fault-proxy.ts'
import { doorOf, endOf, type Process, startProcess } from '../support/process.ts'

describe('SIGTERM while Postgres', () => {
  let proxy: FaultProxy
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createPostgresDatabase()
    drop = database.drop
    proxy = await startFaultProxy(database.url)
  })
  afterAll(async () => {
    await proxy.close()
    await drop()
  })

  test('is down ends a process that waits for it', async () => {
    await proxy.close()
    const service = startProcess({ DATABASE_URL: proxy.url })
    expect((await fetch(`${await service.url}/readyz`)).status).toBe(503)
    await expectEnd(service)
    await proxy.open()
  })

  test('is silent ends the process, and what is in flight is answered', async () => {
    const service = startProcess({ DATABASE_URL: proxy.url })
    const url = await service.url
    await untilReady(doorOf(url))
    proxy.set('silent')
    const inFlight = Array.from({ length: 20 }, () => fetch(url))
    // This is sent after the others, so once it is answered, they have arrived.
    await (await fetch(`${url}/healthz`)).text()
    await expectEnd(service)
    for (const response of await Promise.all(inFlight)) expect(response.status).toBe(503)
    proxy.set('forward')
  })
})

async function expectEnd(service: Process): Promise<void> {
  const begin = performance.now()
  service.child.kill('SIGTERM')
  const { code } = await endOf(service)
  expect(code).toBe(0)
  expect(performance.now() - begin).toBeLessThan(patience(6_000))
}
