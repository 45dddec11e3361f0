import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pruneDeployments } from '../../../src/capabilities/pruning/store.ts'
import { withdrawDeployment } from '../../../src/data/deployments.ts'
import { wordsDrawn } from '../../badge/every-badge.ts'
import { created, json } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { inParallel } from '../../support/parallel.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })

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

  test.each(filters)('with %s leaves prereleases out, unless pre=1', async (filter) => {
    const ada = await signUpPoster(service)
    await announce(ada, { version: 'v25.0.8' })
    const stable = await announce(ada, { version: 'v25.0.9+sha' })
    await announce(ada, { version: 'v26.0.0-beta.1' })
    const last = await announce(ada, { version: 'v26.0.0-beta.2' })
    for (const url of ['https://ci.ada.dev/ada/other', elsewhere])
      await announce(ada, { url, version: 'v9.0.0-rc.1', environment: 'qa' })
    expect(await shown(ada, filter)).toBe('v25.0.9+sha')
    for (const pre of ['', '0', 'true', 'yes'])
      expect(await shown(ada, `${filter}&pre=${pre}`)).toBe('v25.0.9+sha')
    const isOfOthers = ['&url=', '&url=ada.dev'].includes(filter)
    expect(await shown(ada, `${filter}&pre=1`)).toBe(isOfOthers ? 'v9.0.0-rc.1' : 'v26.0.0-beta.2')
    await withdraw(ada, stable)
    expect(await shown(ada, filter)).toBe('v25.0.8')
    await withdraw(ada, last)
    expect(await shown(ada, filter)).toBe('v25.0.8')
    await announce(ada, {})
    expect(await shown(ada, filter)).toBe('Fresh')
    await announce(ada, { version: 'v26.0.0' })
    expect(await shown(ada, filter)).toBe('v26.0.0')
  })

  test('of a prerelease has the age of the release that it shows', async () => {
    const ada = await signUpPoster(service)
    await announce(ada, { version: 'v1.0.0' })
    const own = sql`user_id = ${await userIdOf(service.db, ada)}`
    await query(
      service.db,
      sql`update deployments set deployed_at = deployed_at - interval '12 days' where ${own}`,
    )
    await announce(ada, { version: 'v2.0.0-rc.1' })
    const named = async (query: string) => {
      const svg = await (await service.fetch(`/badge/${ada.username}.svg?show=version${query}`)).text()
      return /<title>(.*)<.title>/.exec(svg)?.[1]
    }
    expect(await named('')).toBe('deployed: v1.0.0, Quiet, 12 days ago')
    expect(await named('&pre=1')).toBe('deployed: v2.0.0-rc.1, Fresh, just now')
  })

  test.each(filters)(
    'with %s looks at the last 50, and shows the last if all are prereleases',
    async (filter) => {
      const ada = await signUpPoster(service)
      await announce(ada, { version: 'v1.0.0' })
      for (let n = 1; n <= 49; n += 1) await announce(ada, { version: `v2.0.0-rc.${n}` })
      expect(await shown(ada, filter)).toBe('v1.0.0')
      await announce(ada, { version: 'v2.0.0-rc.50' })
      expect(await shown(ada, filter)).toBe('v2.0.0-rc.50')
    },
  )

  test.each(['', '&env=production'])(
    'of a host with many targets%s leaves out prereleases among the last 200 of the user',
    async (env) => {
      const ada = await signUpPoster(service)
      const of = (n: number) => `https://many.example/p/repository-${n}`
      await announce(ada, { url: of(0), version: 'v1.0.0' })
      for (let n = 1; n <= 19; n += 1) await announce(ada, { url: of(n), version: 'v2.0.0-rc.1' })
      await inParallel(Array.from({ length: 180 }), 8, () => announce(ada, { url: elsewhere, version: 'v3' }))
      const filter = `&url=many.example${env}`
      expect(await shown(ada, filter)).toBe('v1.0.0')
      // The 21st target, and the 200th deployment after the release.
      await announce(ada, { url: of(20), version: 'v2.0.0-rc.2' })
      expect(await shown(ada, filter)).toBe('v2.0.0-rc.2')
      await announce(ada, { url: of(20), version: 'v2.0.0' })
      expect(await shown(ada, filter)).toBe('v2.0.0')
    },
  )

  test('of a host with more than 200 targets finds the last one of them', async () => {
    const ada = await signUpPoster(service)
    const many = Array.from({ length: 201 }, (_, n) => `https://many.example/p/repository-${n}`)
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
