import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pruneDeployments } from '../../../src/capabilities/pruning/store.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { created, json } from '../../support/api.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })

const url = 'https://ci.ada.dev/ada/engine/pull/1'
/** Everything, the host, its parent domain, the beginning of a path, and the target. */
const filters = ['', 'ci.ada.dev', 'ada.dev', 'ci.ada.dev/ada', 'ci.ada.dev/ada/engine']

describe('?env=', () => {
  test.each(filters)('with ?url=%s counts what went there, however it is written', async (filter) => {
    const ada = await signUpPoster(service)
    await announce(ada, { url })
    await announce(ada, { url, environment: 'staging' })
    expect(await statusOf(ada, 'production', filter)).toBe('Inactive')
    await announce(ada, { url: 'https://elsewhere.example', environment: 'qa' })
    expect(await statusOf(ada, 'qa', filter)).toBe(filter === '' ? 'Fresh' : 'Inactive')
    await announce(ada, { url, environment: 'Production' })
    for (const env of ['production', 'PRODUCTION']) expect(await statusOf(ada, env, filter)).toBe('Fresh')
    expect(await statusOf(ada, 'prod', filter)).toBe('Inactive')
  })

  test.each(filters)('with ?url=%s goes back when the last one is withdrawn', async (filter) => {
    const ada = await signUpPoster(service)
    const first = await announce(ada, { url, environment: 'production' })
    await age(ada, 2)
    const second = await announce(ada, { url: `${url}2`, environment: 'production' })
    await announce(ada, { url, environment: 'staging' })
    await announce(ada, { url })
    expect(await statusOf(ada, 'production', filter)).toBe('Fresh')
    await withdraw(ada, second)
    expect(await statusOf(ada, 'production', filter)).toBe('Active')
    await withdraw(ada, first)
    expect(await statusOf(ada, 'production', filter)).toBe('Inactive')
    expect(await statusOf(ada, 'staging', filter)).toBe('Fresh')
  })

  test('that is empty is no filter, and one that is no environment is Inactive, in both forms', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { environment: 'production' })
    expect(await statusOf(ada, '')).toBe('Fresh')
    for (const env of ['%', 'a b', 'a'.repeat(65), "' or 1=1", '\0']) {
      expect([env, await statusOf(ada, env)]).toEqual([env, 'Inactive'])
    }
    const twin = async (env: string) =>
      (await (await service.fetch(`/badge/${ada.username}.json?env=${env}`)).json()) as { message: string }
    expect((await twin('production')).message).toBe('Fresh')
    expect((await twin('staging')).message).toBe('Inactive')
    const unknown = await service.fetch('/badge/nobody-of-environments.svg?env=production')
    expect(await unknown.text()).toContain('unknown')
  })

  test('goes together with show, label and style', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { url, environment: 'production' })
    const address = `/badge/${ada.username}.svg?env=production&url=ada.dev&show=age&label=prod&style=square`
    expect(await (await service.fetch(address)).text()).toContain('aria-label="prod: ')
  })

  test('stays as it was when old deployments are pruned', async () => {
    // A pruning ends at the first chunk without old deployments, so new ones of other tests must not come before these.
    await emptyDatabase(service.db)
    const ada = await signUpPoster(service)
    for (const environment of ['production', 'staging', 'production', 'production']) {
      await announce(ada, { url, environment })
    }
    await announce(ada, { environment: 'production' })
    await announce(ada, { url: 'https://ci.ada.dev/ada/other', environment: 'production' })
    await age(ada, 90)
    await announce(ada, { url })
    await announce(ada, { url: 'https://ci.ada.dev/ada/other' })
    const asked = ['production', 'staging'].flatMap((env) => filters.map((filter) => [env, filter] as const))
    const badges = () => Promise.all(asked.map(([env, filter]) => statusOf(ada, env, filter)))
    expect(new Set(await badges())).toEqual(new Set(['Stale']))
    await pruneDeployments(service.db, { before: new Date(), isDryRun: false })
    expect(new Set(await badges())).toEqual(new Set(['Stale']))
    // Kept of the older ones: the newest of each target and environment, which includes the newest of production.
    expect(await countOf(ada)).toBe(5)
  })

  test('of more than 200 targets looks at the newest deployments to the environment', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { url: 'https://many.example/first/one', environment: 'production' })
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => announce(ada, { url: `https://many.example/p/repository-${n}` })),
    )
    expect(await statusOf(ada, 'production', 'many.example')).toBe('Fresh')
    expect(await statusOf(ada, 'staging', 'many.example')).toBe('Inactive')
    expect(await statusOf(ada, 'production', 'many.example/p')).toBe('Inactive')
    expect(await statusOf(ada, 'production', 'many.example/first')).toBe('Fresh')
  })
})

async function announce(poster: Poster, fields: object): Promise<number> {
  return (await created(await poster.post(json({ message: 'Deployed', ...fields })))).id
}

async function statusOf({ username }: Poster, env: string, filter = ''): Promise<string> {
  const query = new URLSearchParams({ env, url: filter })
  const response = await service.fetch(`/badge/${username}.svg?${query}`)
  expect(response.status).toBe(200)
  return /aria-label="deployed: (\w+)/.exec(await response.text())?.[1] ?? ''
}

/** Lets days go by for all that somebody has deployed, wherever it is kept. */
async function age(poster: Poster, days: number): Promise<void> {
  const of = sql`user_id = ${await userIdOf(service.db, poster)}`
  for (const table of ['deployments', 'latest_deployments', 'targets']) {
    const earlier = sql`update ${sql.identifier(table)} set deployed_at = deployed_at - make_interval(days => ${days})`
    await query(service.db, sql`${earlier} where ${of}`)
  }
}

async function withdraw(poster: Poster, id: number): Promise<void> {
  await withdrawDeployment(service.db, { userId: await userIdOf(service.db, poster), id })
}

async function countOf(poster: Poster): Promise<number | undefined> {
  const [row] = await query<{ n: number }>(
    service.db,
    sql`select count(*)::int as n from deployments where user_id = ${await userIdOf(service.db, poster)}`,
  )
  return row?.n
}
