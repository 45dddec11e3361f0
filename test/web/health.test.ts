import { expect, test } from 'bun:test'
import { Migrating, Unavailable } from '../../src/database/errors.ts'
import { failingDatabase } from '../support/database.ts'
import { textOf } from '../support/markup.ts'
import { startService } from '../support/service.ts'

test.each(['/healthz', '/readyz'])('%s is 200 while all is well, and not to be cached', async (path) => {
  await using service = await startService()
  const response = await service.fetch(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect((await service.fetch(path, { method: 'HEAD' })).status).toBe(200)
})

test('/readyz says that it is the migrations that are not done', async () => {
  await using service = await startService({}, failingDatabase(new Migrating('wait')))
  const response = await service.fetch('/readyz')
  expect([response.status, await response.text()]).toEqual([503, 'not ready: migrations\n'])
})

test('/status says to people that all works, since when, and which version it is', async () => {
  await using service = await startService()
  const response = await service.fetch('/status')
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  const said = textOf(await response.text(), 'main')
  expect(said).toContain('Everything works')
  expect(said).toMatch(/Running since \d+ \w+ \d{4}, \d\d:\d\d UTC, version \d+\.\d+\.\d+/)
})

test.each([
  [new Unavailable('gone'), 'Not reachable'],
  [new Migrating('wait'), 'Being updated'],
])('/status says what does not work: %s', async (error, state) => {
  await using service = await startService({}, failingDatabase(error))
  const response = await service.fetch('/status')
  expect(response.status).toBe(503)
  const said = textOf(await response.text(), 'main')
  expect(said).toContain('Shipfeed is not available at the moment')
  expect(said).toContain(state)
})
