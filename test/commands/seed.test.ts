import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { seed } from '../../src/commands/seed.ts'
import { openEmbedded } from '../../src/database/embedded/open.ts'
import { emptyDatabase, query } from '../support/database.ts'
import { rollToken, signIn, signUpPoster } from '../support/people.ts'
import { endOf, startProcess, temporaryDirectory } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

const freshness = ['Fresh', 'Warm', 'Active', 'Quiet', 'Stale', 'Inactive']

describe('The seed', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  beforeEach(() => emptyDatabase(service.db))
  afterAll(() => service.close())

  test('leaves an account that it did not make as it is, and everything else', async () => {
    const ada = await signUpPoster(service, { username: 'ada', name: 'The real one' })
    await ada.announce({ message: 'Mine' })
    await expect(seed(service.db, new Date())).rejects.toThrow('"ada" is an account that no seed made')
    expect(await (await service.fetch('/ada')).text()).toContain('Mine')
    expect((await ada.announce({ message: 'Mine, too' })).status).toBe(201)
    expect((await service.fetch('/grace')).status).toBe(404)
  })

  test('shows every freshness, in any number of runs, and leaves other users alone', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'Not of the seed' })
    for (let run = 0; run < 2; run += 1) {
      await seed(service.db, new Date())
      const usernames = ['ada', 'grace', 'linus', 'mshaw', 'dorothy', 'newcomer']
      const shown = usernames.map(async (username) => {
        const badge = (await (await service.fetch(`/badge/${username}.json`)).json()) as { message: string }
        return badge.message
      })
      expect(await Promise.all(shown)).toEqual(freshness)
      expect(await (await service.fetch('/ada')).text()).toContain('Ada Lovelace')
    }
    expect(await (await service.fetch(`/${poster.username}`)).text()).toContain('Not of the seed')
    expect((await service.fetch('/')).status).toBe(200)
  })

  test('can be signed in to, and tokens of an earlier seed go on working', async () => {
    await seed(service.db, new Date())
    const person = await signIn(service, { username: 'newcomer', name: 'New Comer' }, 'ship it every day')
    const token = await rollToken(person, { password: 'ship it every day' })
    await seed(service.db, new Date())
    const headers = { Authorization: `Bearer ${token}` }
    const body = new URLSearchParams({ message: 'Still here' })
    expect((await service.fetch('/api', { method: 'POST', headers, body })).status).toBe(201)
  })

  test('counts as announcing does', async () => {
    await seed(service.db, new Date())
    const counted = await query(
      service.db,
      sql`
        select (select count(*)::int from latest_deployments l where deployed_at is distinct from (
            select max(deployed_at) from deployments d where d.user_id = l.user_id and l.scope = any(d.scopes)
          )) as wrong_scopes,
          (select sum(deployments)::int from daily_deployments) - (select count(*)::int from deployments) as uncounted`,
    )
    expect(counted).toEqual([{ wrong_scopes: 0, uncounted: 0 }])
  })
})

describe('npm run seed', () => {
  const directory = temporaryDirectory()
  afterAll(directory.remove)

  test('fills an empty directory, and tells how to sign in', async () => {
    const dataDir = join(directory.path, 'data')
    for (let run = 0; run < 2; run += 1) {
      const { code, output } = await endOf(startProcess({ DATA_DIR: dataDir }, 'src/commands/seed.ts'))
      expect(output).toMatch(/^Seeded ada, .*signs in with: /)
      expect(code).toBe(0)
    }
  }, 30_000)

  test('tells in one line that the service is running', async () => {
    const dataDir = join(directory.path, 'held')
    const db = await openEmbedded(dataDir)
    const refused = await endOf(startProcess({ DATA_DIR: dataDir }, 'src/commands/seed.ts'))
    await db.close()
    expect(refused.output).toMatch(/^Shipfeed cannot seed: .*held is in use by another process: .*\n$/)
    expect(refused.code).toBe(1)
  }, 30_000)

  test('refuses production, in one line, before it touches anything', async () => {
    const dataDir = join(directory.path, 'production')
    const refused = startProcess({ DATA_DIR: dataDir, NODE_ENV: 'production' }, 'src/commands/seed.ts')
    expect(await endOf(refused)).toEqual({
      code: 1,
      output: 'Shipfeed cannot seed: it is for development, and this is production\n',
    })
    expect(await Array.fromAsync(new Bun.Glob('**').scan({ cwd: directory.path, dot: true }))).not.toContain(
      'production/lock',
    )
  }, 10_000)
})
