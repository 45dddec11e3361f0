import { describe, expect, test } from 'bun:test'
import { startService } from '../support/service.ts'

const path = '/.well-known/security.txt'

describe('GET /.well-known/security.txt', () => {
  test.each([
    ['ops@ship.example', 'mailto:ops@ship.example'],
    ['https://ship.example/security', 'https://ship.example/security'],
  ])('says where to write: %s', async (OPERATOR_CONTACT, contact) => {
    await using service = await startService({ OPERATOR_CONTACT })
    const response = await service.fetch(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/plain; charset=utf-8',
    ])
    const lines = (await response.text()).trimEnd().split('\n')
    const fields = Object.fromEntries(lines.map((line) => /^([\w-]+): (.+)$/.exec(line)?.slice(1) ?? []))
    const { Expires: expires, ...others } = fields
    expect(others).toEqual({
      Contact: contact,
      Canonical: `http://shipfeed.test${path}`,
      'Preferred-Languages': 'en',
    })
    expect(expires).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
    const days = (Date.parse(String(expires)) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(30)
    expect(days).toBeLessThan(365)
  })

  test.each([{}, { OPERATOR_CONTACT: 'ask at the desk' }, { OPERATOR_CONTACT: 'http://ship.example/' }])(
    'is not there without a valid address to write to: %j',
    async (environment) => {
      await using service = await startService(environment)
      expect((await service.fetch(path)).status).toBe(404)
    },
  )
})
