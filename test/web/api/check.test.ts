import { describe, expect, test } from 'bun:test'
import {
  bodyForms,
  created,
  expectError,
  expectUnauthorized,
  invalid,
  json,
  post,
} from '../../support/api.ts'
import { storedDeployments } from '../../support/deployments.ts'
import { signUpPoster } from '../../support/people.ts'
import { type Service, useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '2' })

/** Sends a call of POST /api to /api/check. */
const checked: Pick<Service, 'fetch'> = { fetch: (_, init) => service.fetch('/api/check', init) }

describe.each(Object.entries(bodyForms))('a check by %s', (_, bodyOf) => {
  test('answers with the record as it would be, and records nothing', async () => {
    const ada = await signUpPoster(service)
    const fields = { message: 'fix: dates', url: 'https://github.com/ada/engine/commit/1', version: 'v1.0.0' }
    for (let n = 0; n < 3; n++) {
      const response = await post(checked, ada.token, bodyOf(fields))
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit')).toStartWith('"post";r=2;')
      const { deployed_at, user, ...record } = (await response.json()) as Record<string, unknown>
      const of = { id: null, page: null, username: ada.username, category: 'bug_fix', status: 'success' }
      expect(record).toEqual({ ...fields, ...of })
      expect(user).toMatchObject({ name: ada.name })
      expect(Date.parse(String(deployed_at))).toBeGreaterThan(Date.now() - 60_000)
    }
    expect(await storedDeployments(service.db, ada.username)).toEqual([])
    // It has no part in the rate either.
    await created(await ada.announce(fields))
    await created(await ada.announce(fields))
    await expectError(await post(checked, ada.token, bodyOf(fields)), 429, 'rate_limited')
  })
})

test('a check is refused as the announcement would be, and not listed among the refused calls', async () => {
  const ada = await signUpPoster(service)
  expect(await invalid(await post(checked, ada.token, json({ message: ' ', url: 'ftp://x' })))).toEqual({
    message: ["can't be blank"],
    url: ['must start with http:// or https://'],
  })
  await expectError(
    await post(checked, ada.token, { type: 'text/plain', bytes: 'x' }),
    415,
    'unsupported_media_type',
  )
  await expectError(
    await post(checked, ada.token, { type: 'application/json', bytes: '{' }),
    400,
    'bad_request',
  )
  const badKey = await post(checked, ada.token, json({ message: 'x' }), { 'Idempotency-Key': 'a b' })
  await expectError(badKey, 400, 'bad_request')
  await expectUnauthorized(await post(checked, null, json({ message: ' ' })))
  const leaked = await invalid(await post(checked, ada.token, json({ message: `token ${ada.token}` })))
  expect(leaked.message?.join()).toContain('roll the token')
  expect(await (await ada.get('/settings')).text()).not.toContain('be blank')
})
