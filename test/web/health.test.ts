import { expect, test } from 'bun:test'
import { Unavailable } from '../../src/database/errors.ts'
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

test('without the database /healthz is 200 and /readyz 503, which tells nothing of why', async () => {
  const away = new Unavailable('postgres://ada:open-sesame@db')
  await using service = await startService({}, failingDatabase(away))
  expect((await service.fetch('/healthz')).status).toBe(200)
  const response = await service.fetch('/readyz')
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('2')
  expect(await response.text()).not.toContain('open-sesame')
})
