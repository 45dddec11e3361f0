import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { pruneDeployments } from '../../../src/data/upkeep/deployment-pruning.ts'
import { wordsDrawn } from '../../badge/every-badge.ts'
import { created, json } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

const url = 'https://ci.ada.dev/ada/engine/pull/1'
const elsewhere = 'https://elsewhere.example/ada/docs'

/** A filter of each kind that contains the deployments to `url`, alone and with an environment. */
const filters = ['', 'ada.dev', 'ci.ada.dev/ada/engine'].flatMap((target) => [
  `&url=${target}`,
  `&url=${target}&env=Production`,
])

describe('?show=version', () => {
  test.each(filters)('with %s is of the last deployment at every moment', async (filter) => {
    const ada = await signUpPoster(service)
    expect(await shown(ada, filter)).toBe('Inactive')
    const first = await announce(ada, { version: 'v1' })
    expect(await shown(ada, filter)).toBe('v1')
    const second = await announce(ada, { version: 'v2+7' })
    expect(await shown(ada, filter)).toBe('v2+7')
    await announce(ada, {})
    expect(await shown(ada, filter)).toBe('Fresh')
    const last = await announce(ada, { version: 'v3 beta' })
    expect(await shown(ada, filter)).toBe('Fresh')
    await withdraw(ada, last)
    expect(await shown(ada, filter)).toBe('Fresh')
    await withdraw(ada, last - 1)
    expect(await shown(ada, filter)).toBe('v2+7')
    await withdraw(ada, second)
    expect(await shown(ada, filter)).toBe('v1')
    await withdraw(ada, first)
    expect(await shown(ada, filter)).toBe('Inactive')
  })

  test.each(filters)('with %s stays when old deployments are pruned', async (filter) => {
    const ada = await signUpPoster(service)
    for (const version of ['v1', 'v2']) await announce(ada, { version })
    await query(service.db, sql`update deployments set deployed_at = deployed_at - interval '1 day'`)
    await announce(ada, { url: elsewhere, environment: 'qa', version: 'v9' })
    const before = await shown(ada, filter)
    expect(before).toBe(filter === '&url=' ? 'v9' : 'v2')
    await pruneDeployments(service.db, { before: new Date(), isDryRun: false })
    expect(await shown(ada, filter)).toBe(before)
  })

  test('goes together with label and style, and the twin says the same', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { version: 'v2.4.0' })
    const of = `show=version&env=production&label=prod&style=dot`
    const svg = await (await service.fetch(`/badge/${ada.username}.svg?${of}`)).text()
    expect(wordsDrawn(svg)).toEqual(['prod: v2.4.0'])
    expect(svg).toContain('aria-label="prod: v2.4.0, Fresh, just now"')
    const twin = await (await service.fetch(`/badge/${ada.username}.json?${of}`)).json()
    expect(twin).toMatchObject({ label: 'prod', message: 'v2.4.0', color: '#1a7f37', isError: false })
  })

  test('says that there is no such user, and that a filter matches nothing', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { version: 'v1' })
    expect(await shown({ username: 'nobody-of-versions' })).toBe('unknown')
    for (const filter of ['&env=a%20b', '&url=%00', '&env=qa', '&url=nowhere.example']) {
      expect([filter, await shown(ada, filter)]).toEqual([filter, 'Inactive'])
    }
  })

  test('of a host with more than 200 targets finds the last one of them', async () => {
    const ada = await signUpPoster(service)
    const many = Array.from({ length: 201 }, (_, n) => `https://many.example/p/${n}`)
    await inParallel(many, 8, (url) => announce(ada, { url }))
    await announce(ada, { url: 'https://many.example/first/one', version: 'v1' })
    await announce(ada, { url: elsewhere, version: 'v2' })
    expect(await shown(ada, '&url=many.example')).toBe('v1')
    expect(await shown(ada, '&url=many.example&env=production')).toBe('v1')
    expect(await shown(ada, '&url=many.example/p')).toBe('Fresh')
  })
})

async function announce(poster: Poster, fields: object): Promise<number> {
  const announcement = { message: 'Deployed', url, environment: 'production', ...fields }
  return (await created(await poster.post(json(announcement)))).id
}

/** The right word of the badge of a version. */
async function shown({ username }: Pick<Poster, 'username'>, filter = ''): Promise<string | undefined> {
  const response = await service.fetch(`/badge/${username}.svg?show=version${filter}`)
  expect(response.status).toBe(200)
  return wordsDrawn(await response.text()).at(-1)
}

async function withdraw(poster: Poster, id: number): Promise<void> {
  const userId = await userIdOf(service.db, poster)
  expect(await withdrawDeployment(service.db, { userId, id })).toBeTrue()
}
