import { beforeEach, describe, expect, test } from 'bun:test'
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
import { type Poster, rollToken, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const fields = { message: 'fix: crash on start', url: 'https://example.com/1' }
let ada: Poster

const service = await useService()
beforeEach(async () => {
  ada = await signUpPoster(service)
})

async function announce(key: string, payload: Record<string, unknown> = fields, token = ada.token) {
  return await post(service, token, json(payload), { 'Idempotency-Key': key })
}

async function rows(poster: Poster = ada): Promise<number> {
  return (await storedDeployments(service.db, poster.username)).length
}

async function expectReplay(response: Response, first: Response, body: string): Promise<void> {
  expect(response.status).toBe(201)
  expect(response.headers.get('idempotent-replayed')).toBe('true')
  expect(response.headers.get('location')).toBe(first.headers.get('location'))
  expect(response.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expect(await response.text()).toBe(body)
}

describe('the first result is replayed', () => {
  test('with the same status and body, and marked', async () => {
    const first = await announce('build-1')
    expect(first.status).toBe(201)
    expect(first.headers.has('idempotent-replayed')).toBeFalse()
    const body = await first.text()
    // Past the second, so that a time that was read again would differ.
    await Bun.sleep(1_001)
    await expectReplay(await announce('build-1'), first, body)
    await expectReplay(await announce('build-1'), first, body)
    expect(await rows()).toBe(1)
  })

  test('also after a rename and a roll of the token', async () => {
    const first = await announce('build-1')
    const body = await first.text()
    expect((await ada.send('/settings/profile', { name: 'Another Name' })).status).toBe(303)
    const token = await rollToken(ada)
    await expectReplay(await announce('build-1', fields, token), first, body)
    await expectUnauthorized(await announce('build-1'))
    const record = await created(await announce('build-2', fields, token))
    expect(record.user).toMatchObject({ name: 'Another Name' })
  })

  test('whatever form the same payload comes in', async () => {
    const first = await announce('build-1')
    const body = await first.text()
    for (const bodyOf of Object.values(bodyForms)) {
      const again = await ada.post(bodyOf({ ...fields, unknown: 'a' }), {
        'Idempotency-Key': 'build-1',
      })
      await expectReplay(again, first, body)
    }
  })

  test('where no url was given, and an empty one comes', async () => {
    const first = await announce('build-1', { message: 'Deployed' })
    await expectReplay(await announce('build-1', { message: 'Deployed', url: '' }), first, await first.text())
  })

  test('after other announcements, with or without a key', async () => {
    const first = await announce('build-1')
    const body = await first.text()
    await created(await announce('build-2'))
    await created(await ada.announce(fields))
    await expectReplay(await announce('build-1'), first, body)
    expect(await rows()).toBe(3)
  })
})

describe('the same key with another payload is refused', () => {
  test.each([
    { ...fields, message: 'fix: crash on stop' },
    { ...fields, message: `${fields.message} ` },
    { ...fields, url: 'https://example.com/2' },
    { message: fields.message },
    { ...fields, category: 'feature' },
  ])('%j', async (payload) => {
    const { id } = await created(await announce('build-1'))
    const response = await announce('build-1', payload)
    expect(response.headers.has('idempotent-replayed')).toBeFalse()
    expect(await response.clone().text()).toContain(
      `This key announced http://shipfeed.test/${ada.username}/${id}"`,
    )
    await expectError(response, 422, 'idempotency_key_reused')
    expect(await rows()).toBe(1)
  })
})

describe('a key', () => {
  test('is the same bare and quoted', async () => {
    const first = await announce('back\\slash"quote')
    await expectReplay(await announce('"back\\\\slash\\"quote"'), first, await first.text())
    const longest = await announce('k'.repeat(255))
    await expectReplay(await announce(`"${'k'.repeat(255)}"`), longest, await longest.text())
  })

  test('differs by case and by every character', async () => {
    for (const key of ['build', 'Build', 'build1', 'build ']) await announce(key)
    // Space around a header's value is no part of it.
    expect(await rows()).toBe(3)
  })

  test('that is malformed is a bad request', async () => {
    for (const key of ['', '""', '"a', 'a b', 'a, b', 'é', 'k'.repeat(256), `"${'k'.repeat(256)}"`])
      await expectError(await announce(key), 400, 'bad_request')
    expect(await rows()).toBe(0)
  })

  test('belongs to one user', async () => {
    const bob = await signUpPoster(service)
    const first = await created(await announce('build-1'))
    const response = await announce('build-1', fields, bob.token)
    expect(response.headers.has('idempotent-replayed')).toBeFalse()
    const second = await created(response)
    expect(second.id).not.toBe(first.id)
    expect(second.user).toMatchObject({ name: bob.name })
    await created(await announce('build-2', { message: 'Other' }, bob.token))
    await created(await announce('build-2', { message: 'Mine' }))
  })

  test('is not used up by a call that was refused', async () => {
    await invalid(await announce('build-1', { message: '' }))
    await expectError(
      await ada.post({ type: 'application/json', bytes: '{' }, { 'Idempotency-Key': 'build-1' }),
      400,
      'bad_request',
    )
    await expectUnauthorized(await announce('build-1', fields, 'wrong'))
    await created(await announce('build-1'))
  })

  test('lives as long as the deployment', async () => {
    const { id } = await created(await announce('build-1'))
    expect((await ada.send(`/${ada.username}/${id}/delete`, {})).status).toBe(303)
    const response = await announce('build-1', { message: 'Another' })
    expect(response.headers.has('idempotent-replayed')).toBeFalse()
    expect((await created(response)).id).toBeGreaterThan(id)
  })
})

describe('parallel twins make one row', () => {
  test('of 50 calls with one key, over two services', async () => {
    await using other = await startService()
    const headers = { 'Idempotency-Key': 'build-1' }
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, n) => post(n % 2 ? other : service, ada.token, json(fields), headers)),
    )
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([201]))
    expect(responses.filter(({ headers }) => headers.has('idempotent-replayed'))).toHaveLength(49)
    expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1)
    expect(await rows()).toBe(1)
  })

  test('of 40 calls with two payloads under one key: one payload wins', async () => {
    const messages = Array.from({ length: 40 }, (_, n) => `Payload ${n % 2}`)
    const responses = await Promise.all(messages.map((message) => announce('build-1', { message })))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(responses.filter(({ status }) => status === 422)).toHaveLength(20)
    const [stored, ...more] = await storedDeployments(service.db, ada.username)
    expect(more).toEqual([])
    for (const [n, response] of responses.entries()) {
      expect(response.status).toBe(messages[n] === stored?.message ? 201 : 422)
    }
  })

  test('of 10 keys called 5 times each: 10 rows', async () => {
    const keys = Array.from({ length: 50 }, (_, n) => `build-${n % 10}`)
    const records = await Promise.all(keys.map(async (key) => created(await announce(key))))
    expect(new Set(records.map(({ id }) => id)).size).toBe(10)
    for (const [n, { id }] of records.entries()) expect(id).toBe(records[n % 10]?.id ?? 0)
    expect(await rows()).toBe(10)
  })
})
