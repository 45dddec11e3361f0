import { expect, test } from 'bun:test'
import { Unavailable } from '../../src/database/errors.ts'
import { failingDatabase } from '../support/database.ts'
import { endOf, startProcess } from '../support/process.ts'
import { type Service, useService } from '../support/service.ts'

const ready = await useService()
const unready = await useService({}, failingDatabase(new Unavailable('no answer')))

/** Runs the command as in an image whose network needs a proxy for every other host. */
function check({ url }: Service, host: string) {
  const elsewhere = { HTTP_PROXY: 'http://127.0.0.1:1', http_proxy: 'http://127.0.0.1:1' }
  const environment = { ...elsewhere, HOST: host, PORT: new URL(url).port }
  return endOf(startProcess(environment, 'src/main.ts', 'healthcheck'))
}

test.each(['127.0.0.1', '0.0.0.0', 'localhost'])('it asks a process that listens on %s', async (host) => {
  expect(await check(ready, host)).toEqual({ code: 0, output: 'ready\n' })
})

test('it says in one line why a process is not ready', async () => {
  const { code, output } = await check(unready, '127.0.0.1')
  expect([code, output]).toEqual([
    1,
    expect.stringMatching(/^Shipfeed healthcheck: http:\S+\/readyz says: .+\n$/),
  ])
})
