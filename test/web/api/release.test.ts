import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { bodyForms, created, expectError, invalid, json } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const release = {
  environment: 'Production',
  version: 'v2.4.0',
  commit: '0123abcd',
  project: 'Shop/@ada/checkout',
  actor: 'Grace Hopper',
  environment_url: 'https://shop.example.com/?x=1',
}

describe.each(Object.entries(bodyForms))('by %s', (_, bodyOf) => {
  test('what was given is answered and listed as it was written, and nothing else is', async () => {
    const ada = await signUpPoster(service)
    expect(await created(await ada.post(bodyOf({ message: 'A', ...release })))).toMatchObject(release)
    const plain = await created(await ada.post(bodyOf({ message: 'B', environment: '' })))
    const always = ['id', 'message', 'url', 'category', 'deployed_at', 'user', 'username', 'status', 'page']
    expect(Object.keys(plain)).toEqual(always)
    const some = await created(await ada.post(bodyOf({ message: 'C', version: '1' })))
    expect(some.version).toBe('1')
    expect(Object.keys(some)).not.toContain('commit')
    const [third, second, first] = await list(`user=${ada.username}`)
    expect(first).toMatchObject(release)
    expect(Object.keys(second ?? {})).toEqual(always)
    expect(third?.version).toBe('1')
  })

  test('each that is wrong is named', async () => {
    const ada = await signUpPoster(service)
    const wrong = {
      environment: 'pro duction',
      version: 'v\n1',
      commit: 'main',
      project: '/engine',
      actor: 'grace@example.com',
      environment_url: 'javascript:alert(1)',
    }
    expect(await invalid(await ada.post(bodyOf({ message: 'A', ...wrong })))).toEqual({
      environment: ['must be 1 to 64 characters from A-Z, a-z, 0-9 and . _ / -'],
      version: ['must be one line, without tabs'],
      commit: ['must be 7 to 64 hexadecimal digits'],
      project: [
        'must be 1 to 3 names with / between them, at most 100 characters: A-Z, a-z, 0-9, _ and @, and after the first of a name also . ~ + -',
      ],
      actor: ['must be a name, not an e-mail address'],
      environment_url: ['must start with http:// or https://'],
    })
  })
})

test("the caller's token in an environment or a version is refused", async () => {
  const ada = await signUpPoster(service)
  for (const field of ['environment', 'version']) {
    const details = await invalid(await ada.post(json({ message: 'A', [field]: ada.token })))
    expect(details[field]?.[0]).toStartWith('contains your API token')
  }
})

test('a call with the same fields in any order is a retry, and one with others is another payload', async () => {
  const ada = await signUpPoster(service)
  const key = { 'Idempotency-Key': 'run-1' }
  const first = await created(await ada.post(json({ message: 'A', ...release }), key))
  const { commit, ...rest } = release
  expect(await created(await ada.post(json({ commit, ...rest, message: 'A' }), key))).toEqual(first)
  const others = [
    rest,
    { ...release, version: 'v2.4.1' },
    { ...release, commit: '0123abce' },
    { ...release, environment: 'production' },
    { ...release, project: 'shop/@ada/checkout' },
    { ...release, environment_url: 'https://shop.example.com/' },
    {},
  ]
  for (const other of others) {
    await expectError(await ada.post(json({ message: 'A', ...other }), key), 422, 'idempotency_key_reused')
  }
})

test('a retry that somebody else started gets the first answer', async () => {
  const ada = await signUpPoster(service)
  const key = { 'Idempotency-Key': 'run-1' }
  const { actor, ...rest } = { message: 'A', ...release }
  const first = await created(await ada.post(json({ ...rest, actor }), key))
  for (const retry of [{ ...rest, actor: 'Linus' }, rest]) {
    expect(await created(await ada.post(json(retry), key))).toEqual(first)
  }
  const unnamed = await created(await ada.post(json(rest), { 'Idempotency-Key': 'run-2' }))
  expect(await created(await ada.post(json({ ...rest, actor }), { 'Idempotency-Key': 'run-2' }))).toEqual(
    unnamed,
  )
  expect((await list(`user=${ada.username}`)).map((one) => one.actor)).toEqual([undefined, actor])
})

test('an older process, which does not know them, goes on recording', async () => {
  const ada = await signUpPoster(service)
  const calls = JSON.stringify([
    {
      token_hash: hashSecret(ada.token),
      message: 'A',
      url: null,
      category: null,
      scopes: [''],
      target: null,
      key: null,
    },
  ])
  await query(service.db, sql`select announce(${calls}, 60, 2::smallint)`)
  const [listed] = await list(`user=${ada.username}`)
  expect(listed?.message).toBe('A')
})

describe('?env=', () => {
  test('lists what went there, of everybody, of a user and to a target', async () => {
    const ada = await signUpPoster(service)
    const environment = `Stage-${ada.username}`
    const url = 'https://github.com/ada/engine/pull/1'
    const mine = [{ url }, {}, { environment }, { environment, url }, { environment: 'other', url }]
    const ids: number[] = []
    for (const fields of mine) ids.push((await created(await ada.post(json({ message: 'A', ...fields })))).id)
    const env = `env=${environment.toLowerCase()}`
    expect(await idsOf(env)).toEqual([ids[3], ids[2]])
    expect(await idsOf(`env=${environment.toUpperCase()}&user=${ada.username}`)).toEqual([ids[3], ids[2]])
    expect(await idsOf(`${env}&user=${ada.username}&target=github.com`)).toEqual([ids[3]])
    expect(await idsOf('env=nowhere')).toEqual([])
  })

  test.each([
    [
      'env=a%20b',
      'That is not an environment. An environment has 1 to 64 characters from A-Z, a-z, 0-9 and . _ / -.',
    ],
    ['env=production&category=feature', 'A list has one category or one environment: leave one of them out.'],
  ])('%s is refused, and the answer says what to do', async (asked, message) => {
    const response = await service.fetch(`/api/deployments?${asked}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: 'bad_request', message })
  })

  test('stays in the address of the older page', async () => {
    const ada = await signUpPoster(service)
    for (const message of ['A', 'B']) await ada.post(json({ message, environment: 'qa' }))
    const response = await service.fetch(`/api/deployments?user=${ada.username}&env=qa&limit=1`)
    const { older } = (await response.json()) as { older: string }
    expect(older).toContain('env=qa')
  })
})

type Listed = Readonly<Record<string, unknown>>

async function list(asked: string): Promise<readonly Listed[]> {
  const response = await service.fetch(`/api/deployments?${asked}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { deployments: readonly Listed[] }).deployments
}

async function idsOf(asked: string): Promise<unknown[]> {
  return (await list(asked)).map(({ id }) => id)
}
