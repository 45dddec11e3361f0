import { describe, expect, test } from 'bun:test'
import { created, expectError, expectUnauthorized } from '../../support/api.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const ada = await signUpPoster(service)
const callers = [{}, { Authorization: `Bearer ${ada.token}` }, { Cookie: ada.cookie }]

test.each(['/api', '/api/', '/api?message=a'])(
  '%s takes POST and nothing else, with and without a token',
  async (path) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      for (const headers of callers) {
        const response = await service.fetch(path, { method, headers })
        expect(response.headers.get('allow')).toBe('POST')
        expect(response.headers.has('www-authenticate')).toBeFalse()
        await expectError(response, 405, 'method_not_allowed')
      }
    }
    const head = await service.fetch(path, { method: 'HEAD' })
    expect([head.status, head.headers.get('allow'), await head.text()]).toEqual([405, 'POST', ''])

    const init = { method: 'POST', headers: { Authorization: `Bearer ${ada.token}` } }
    await created(await service.fetch(path, { ...init, body: new URLSearchParams({ message: 'Deployed' }) }))
    await expectError(await service.fetch(path, init), 415, 'unsupported_media_type')
    await expectUnauthorized(await service.fetch(path, { method: 'POST' }))
  },
)

test('every answer ends with a line end, so that a prompt does not stick to it', async () => {
  const init = {
    headers: { Authorization: `Bearer ${ada.token}`, 'Idempotency-Key': 'line-end' },
    method: 'POST',
  }
  const announce = (message: string) =>
    service.fetch('/api', { ...init, body: new URLSearchParams({ message }) })
  const answers = [
    ...[await announce('A'), await announce('A'), await announce('B'), await announce('')],
    ...[await service.fetch('/api'), await service.fetch('/api', { method: 'POST' })],
    ...[await service.fetch('/api/deployments'), await service.fetch('/api/v2')],
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 422, 422, 405, 401, 200, 404])
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  for (const text of texts) expect(text).toMatch(/[^\n]\n$/)
  expect(texts[1]).toBe(texts[0] ?? '')
})

describe('a wrong address of the API is answered with the right one:', () => {
  test.each(['/API', '/Api/', '/api/v1', '/api/deployment', '/api/deployments/1/2', '/api/v1/deployments/'])(
    '%s',
    async (path) => {
      for (const method of ['GET', 'POST', 'PUT']) {
        const response = await service.fetch(path, { method })
        expect(await response.clone().text()).toContain('POST /api')
        await expectError(response, 404, 'not_found')
      }
    },
  )
})
