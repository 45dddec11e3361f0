import { expect, test } from 'bun:test'
import { Migrating } from '../../src/database/errors.ts'
import { failingDatabase } from '../support/database.ts'
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
