import { expect, test } from 'bun:test'
import { startService } from '../support/service.ts'

test.each(['/healthz', '/readyz'])('%s is 200 while all is well, and not to be cached', async (path) => {
  await using service = await startService()
  const response = await service.fetch(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect((await service.fetch(path, { method: 'HEAD' })).status).toBe(200)
})
