import { afterAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { form, json, post } from './support/api.ts'
import { query } from './support/database.ts'
import { rollToken, signUpPoster } from './support/people.ts'
import { leaveSharedDatabase, startService } from './support/service.ts'

/**
 * Every clause of the interface specification, by the service without any capability: the core alone keeps it. The
 * headings are those of the specification.
 */
const service = await startService({}, null, 0, [])
afterAll(async () => {
  await service.close()
  await leaveSharedDatabase()
})
const ada = await signUpPoster(service, { name: 'Ada Lovelace' })
const message = 'Faster checkout 🚀\n\nTwo queries less.'
const url = 'https://shop.example/releases/7'
const badgeOf = async (username: string, rest = '') =>
  await (await service.fetch(`/badge/${username}.svg${rest}`)).text()

describe('create a deployment announcement', () => {
  test.each([
    ['a JSON object', json({ message, url })],
    ['form fields', form({ message, url })],
  ])('%s is answered with the record', async (_, body) => {
    const response = await post(service, ada.token, body)
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({
      id: expect.any(Number),
      ...{ message, url, status: 'success' },
      deployed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      user: { id: expect.any(Number), name: 'Ada Lovelace' },
    })
  })

  test('it appears on the feed and on the profile, with name, category, age and all of its lines', async () => {
    const id = await ada.announced({ message: 'fix: carts keep their coupons\n\nOnce more 🎉' })
    for (const path of ['/', `/${ada.username}`]) {
      const page = await (await service.fetch(path)).text()
      expect(page).toContain(`/${ada.username}/${id}`)
      for (const shown of ['Ada Lovelace', 'bug fix', 'carts keep their coupons', 'Once more 🎉', '<time'])
        expect(page.toLowerCase()).toContain(shown.toLowerCase())
    }
  })
})

describe('errors', () => {
  test.each([[{}], [{ Authorization: 'Bearer wrong' }]])('without a valid token: %j', async (headers) => {
    const body = new URLSearchParams({ message })
    const response = await service.fetch('/api', { method: 'POST', body, headers })
    expect([response.status, await response.json()]).toEqual([401, { error: 'Unauthorized' }])
  })

  test.each([[{}], [{ message: '' }], [{ message: ' \n' }]])('with a blank message: %j', async (fields) => {
    const response = await post(service, ada.token, json(fields))
    expect([response.status, await response.json()]).toEqual([
      422,
      { error: 'validation_error', message: expect.any(String), details: { message: ["can't be blank"] } },
    ])
  })
})

describe('badge image', () => {
  test.each(['', '?style=square', '?style=dot'])('an SVG that is never kept: %p', async (rest) => {
    const { headers } = await service.fetch(`/badge/${ada.username}.svg${rest}`)
    expect(headers.get('Content-Type')).toStartWith('image/svg+xml')
    expect(headers.get('Cache-Control')).toMatch(/no-cache|no-store/)
  })

  test('its status follows the age of the latest deployment, and a new one at once', async () => {
    const grace = await signUpPoster(service)
    expect(await badgeOf(grace.username)).toContain('Inactive')
    const ages = [
      ['3 hours', 'Fresh'],
      ['3 hours 1 minute', 'Warm'],
      ['1 day', 'Warm'],
      ['1 day 1 minute', 'Active'],
      ['7 days', 'Active'],
      ['7 days 1 minute', 'Quiet'],
      ['30 days', 'Quiet'],
      ['30 days 1 minute', 'Stale'],
    ] as const
    await grace.announced({ message })
    const user = sql`(select id from users where username = ${grace.username})`
    for (const [age, status] of ages) {
      // A moment less, which the request takes.
      const at = sql`now() - ${age}::interval + interval '5 s'`
      await query(service.db, sql`update latest_deployments set deployed_at = ${at} where user_id = ${user}`)
      expect([age, await badgeOf(grace.username)]).toEqual([age, expect.stringContaining(status)])
    }
    await grace.announced({ message })
    expect(await badgeOf(grace.username)).toContain('Fresh')
  })

  test('the url filter leaves the deployments of one domain', async () => {
    expect(await badgeOf(ada.username, '?url=shop.example')).toContain('Fresh')
    expect(await badgeOf(ada.username, '?url=other.example&style=square')).not.toContain('Fresh')
  })
})

test('the badge links to the profile', async () => {
  expect((await service.fetch(`/${ada.username}`)).status).toBe(200)
  expect((await service.fetch('/nobody-by-this-name')).status).toBe(404)
})

test('a user rolls the token in the settings, and the old one ends', async () => {
  const old = ada.token
  const next = await rollToken(ada)
  expect((await post(service, old, json({ message }))).status).toBe(401)
  expect((await post(service, next, json({ message }))).status).toBe(201)
})
