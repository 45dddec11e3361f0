import { describe, expect, test } from 'bun:test'
import { Unavailable } from '../../../src/database/errors.ts'
import { created, expectError, expectUnauthorized, json, post } from '../../support/api.ts'
import { failingDatabase } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const fine = json({ message: 'Deployed' })

const service = await useService()
const ada = await signUpPoster(service)

describe.each(['/api', '/api/', '/api?message=a'])('%s', (address) => {
  test.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('does not take %s', async (method) => {
    for (const headers of [{}, { Authorization: `Bearer ${ada.token}` }, { Cookie: ada.cookie }]) {
      const response = await service.fetch(address, { method, headers })
      expect(response.headers.get('allow')).toBe('POST')
      expect(response.headers.has('www-authenticate')).toBeFalse()
      await expectError(response, 405, 'method_not_allowed')
    }
  })

  test('does not take HEAD, and answers it without a body', async () => {
    const response = await service.fetch(address, { method: 'HEAD' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('POST')
    expect(await response.text()).toBe('')
  })

  test('takes POST', async () => {
    const init = { method: 'POST', headers: { Authorization: `Bearer ${ada.token}` } }
    await created(
      await service.fetch(address, { ...init, body: new URLSearchParams({ message: 'Deployed' }) }),
    )
    await expectError(await service.fetch(address, init), 415, 'unsupported_media_type')
    await expectUnauthorized(await service.fetch(address, { method: 'POST' }))
  })
})

describe('when the database', () => {
  const secret = 'postgres://shipfeed:hunter2@db.internal/shipfeed'

  test('cannot be reached, the answer is 503 and says when to come back', async () => {
    const down = await startService({}, failingDatabase(new Unavailable(`connect ${secret}`)))
    for (const body of [fine, json({}), { type: 'application/json', bytes: '{' }, { bytes: 'a' }]) {
      const response = await post(down, ada.token, body)
      expect(Number(response.headers.get('retry-after'))).toBeWithin(1, 61)
      expect(await response.clone().text()).not.toMatch(/hunter2|internal|connect/)
      await expectError(response, 503, 'unavailable')
    }
    await expectUnauthorized(await post(down, null, fine))
    await down.close()
  })

  test('fails, the answer is 500 and tells nothing of it', async () => {
    const failure = new Error(`Failed query: insert into deployments (hash) values ($1) at ${secret}`)
    const broken = await startService({}, failingDatabase(failure))
    for (const body of [fine, json({})]) {
      const response = await post(broken, ada.token, body)
      expect(await response.clone().text()).not.toMatch(
        /hunter2|insert|deployments \(|Error|\.ts|node_modules/,
      )
      await expectError(response, 500, 'internal_error')
    }
    expect(broken.logged).toHaveLength(2)
    expect(broken.logged.join()).not.toContain(ada.token)
    await broken.close()
  })
})
