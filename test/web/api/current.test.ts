import { describe, expect, test } from 'bun:test'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { created, expectError, json } from '../../support/api.ts'
import { userIdOf } from '../../support/deployments.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

const engine = 'https://github.com/ada/engine/pull/7'
const docs = 'https://ada.dev/docs/start'

test('the newest of each target and environment is live there, however each is spelled', async () => {
  const ada = await signUpPoster(service)
  await announce(ada, { url: engine, environment: 'staging', version: 'v1' })
  await announce(ada, { url: engine, environment: 'production', version: 'v1' })
  const staged = await announce(ada, { url: `${engine}1`, environment: 'Staging', commit: 'a89852ac0' })
  const other = await announce(ada, { url: docs, environment: 'production', version: '2026.11 β' })
  await announce(ada, { url: engine, version: 'v3' })
  await announce(ada, { environment: 'production', version: 'v4' })
  const live = await announce(ada, { url: engine, environment: 'production', version: 'v2' })
  expect(await currentOf(ada)).toEqual([
    expectedOf(ada, live, { target: 'github.com/ada/engine', version: 'v2' }),
    expectedOf(ada, other, { target: 'ada.dev/docs/start', version: '2026.11 β' }),
    expectedOf(ada, staged, { target: 'github.com/ada/engine', commit: 'a89852ac0' }),
  ])
})

test('an entry says where it runs, and a project with a name needs no link', async () => {
  const ada = await signUpPoster(service)
  const told = { project: 'engine', environment_url: 'https://engine.example.com/' }
  const live = await announce(ada, { ...told, environment: 'production' })
  const { project: _, ...answered } = told
  expect(await currentOf(ada)).toEqual([expectedOf(ada, live, { target: '-/engine', ...answered })])
})

test('a deployment from before the first announcement is live, too, until another one is', async () => {
  const ada = await signUpPoster(service)
  const item = {
    message: 'Long ago',
    url: engine,
    environment: 'production',
    version: 'v0',
    deployed_at: '2020-03-01T12:00:00Z',
  }
  const added = await service.fetch('/api/history', {
    method: 'POST',
    headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify([item]),
  })
  expect(added.status).toBe(200)
  expect((await currentOf(ada)).map(({ version }) => version)).toEqual(['v0'])
  await announce(ada, { url: engine, environment: 'production', version: 'v1' })
  expect((await currentOf(ada)).map(({ version }) => version)).toEqual(['v1'])
})

test('?target= and ?env= select among them', async () => {
  const ada = await signUpPoster(service)
  for (const url of [engine, docs, 'https://github.com/ada/other']) {
    for (const environment of ['staging', 'production']) await announce(ada, { url, environment })
  }
  const found = async (query: string) =>
    (await currentOf(ada, query)).map(({ target, environment }) => `${target} ${environment}`).toSorted()
  expect(await found(`&target=${encodeURIComponent(engine)}`)).toEqual([
    'github.com/ada/engine production',
    'github.com/ada/engine staging',
  ])
  expect(await found('&target=github.com&env=PRODUCTION')).toEqual([
    'github.com/ada/engine production',
    'github.com/ada/other production',
  ])
  expect(await found('&env=production')).toHaveLength(3)
  expect(await found('&env=qa')).toEqual([])
  expect(await found('&target=nowhere.example')).toEqual([])
})

test('the one before it is live again in the very next request after a withdrawal', async () => {
  const ada = await signUpPoster(service)
  const first = await announce(ada, { url: engine, environment: 'production' })
  const second = await announce(ada, { url: engine, environment: 'production' })
  const ids = async () => (await currentOf(ada)).map(({ id }) => id)
  expect(await ids()).toEqual([second.id])
  for (const [gone, left] of [
    [second, [first.id]],
    [first, []],
  ] as const) {
    await withdrawDeployment(service.db, { userId: await userIdOf(service.db, ada), id: gone.id })
    expect(await ids()).toEqual([...left])
  }
})

test('if each pull request has an environment, the 200 that come last by name are told, and those whose order is known', async () => {
  const ada = await signUpPoster(service)
  const names = Array.from({ length: 201 }, (_, n) => `preview/pr-${String(n).padStart(3, '0')}`)
  await inParallel(names, 8, (environment) => announce(ada, { url: engine, environment }))
  for (const environment of ['Live', 'demo']) await announce(ada, { url: engine, environment })
  const found = new Set((await currentOf(ada)).map(({ environment }) => environment))
  expect(found.size).toBe(201)
  expect(['demo', ...names.slice(0, 2), 'Live'].filter((name) => !found.has(name))).toEqual([
    'demo',
    'preview/pr-000',
  ])
})

test('a dashboard that sends its ETag gets 304 until something is announced', async () => {
  const ada = await signUpPoster(service)
  await announce(ada, { url: engine, environment: 'production' })
  const address = `/api/current?user=${ada.username}`
  const first = await service.fetch(address)
  const headers = { 'If-None-Match': first.headers.get('etag') ?? '' }
  expect(first.headers.get('access-control-allow-origin')).toBe('*')
  expect(first.headers.get('cache-control')).toBe('no-cache')
  await announce(ada, { url: engine })
  expect((await service.fetch(address, { headers })).status).toBe(304)
  await announce(ada, { url: engine, environment: 'production' })
  expect((await service.fetch(address, { headers })).status).toBe(200)
})

describe('a refusal can be read by pages anywhere:', () => {
  test.each([
    ['', 400, 'bad_request'],
    ['?user=', 400, 'bad_request'],
    ['?target=github.com', 400, 'bad_request'],
    ['?user=ada-of-current&category=feature', 400, 'bad_request'],
    ['?user=nobody-at-all', 404, 'not_found'],
  ])('%s', async (query, status, code) => {
    const response = await service.fetch(`/api/current${query}`)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    await expectError(response, status, code)
  })
})

type Live = Readonly<Record<string, unknown>> & { readonly id: number }

async function announce(poster: Poster, fields: object) {
  return await created(await poster.post(json({ message: 'Deployed', ...fields })))
}

async function currentOf({ username }: Poster, query = ''): Promise<readonly Live[]> {
  const response = await service.fetch(`/api/current?user=${username}${query}`)
  expect(response.status).toBe(200)
  return ((await response.json()) as { current: Live[] }).current
}

function expectedOf({ username }: Poster, record: Record<string, unknown> & { id: number }, told: object) {
  const { id, environment, url, deployed_at } = record
  const page = `http://shipfeed.test/${username}/${id}`
  const untold = { version: null, commit: null, environment_url: null }
  return { environment, ...untold, url, deployed_at, id, page, ...told }
}
