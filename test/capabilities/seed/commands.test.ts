import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { seed, seededPassword, seedMark } from '../../../src/capabilities/seed/commands.ts'
import { isOutdated, verifyPassword } from '../../../src/data/account/passwords.ts'
import { lockFeed } from '../../../src/database/locks.ts'
import { emptyDatabase, query } from '../../support/database.ts'
import { password, rollToken, signIn, signUpPoster } from '../../support/people.ts'
import { endOf, startProcess, temporaryDirectory } from '../../support/process.ts'
import { type Service, startService } from '../../support/service.ts'

const freshness = ['Fresh', 'Warm', 'Active', 'Quiet', 'Stale', 'Inactive']

describe('The seed', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  beforeEach(() => emptyDatabase(service.db))
  afterAll(() => service.close())

  test('changes nothing if an account of that name is not its own', async () => {
    const ada = await signUpPoster(service, { username: 'ada', name: 'The real one' })
    await ada.send('/settings/password', { current_password: password, new_password: seededPassword })
    await ada.announce({ message: 'Mine' })
    await expect(seed(service.db, new Date())).rejects.toThrow(
      '"ada" is an account that the seed did not create',
    )
    expect(await (await service.fetch('/ada')).text()).toContain('Mine')
    expect((await ada.announce({ message: 'Mine, too' })).status).toBe(201)
    expect((await service.fetch('/grace')).status).toBe(404)
  })

  test('changes neither an account whose password was changed, nor the username of a deleted one', async () => {
    await seed(service.db, new Date())
    const grace = await signIn(service, { username: 'grace', name: '' }, seededPassword)
    await grace.send('/settings/password', { current_password: seededPassword, new_password: password })
    await expect(seed(service.db, new Date())).rejects.toThrow(
      '"grace" is an account that the seed did not create',
    )
    const again = await signIn(service, grace)
    await again.send('/settings/delete', { username: 'grace', password })
    await expect(seed(service.db, new Date())).rejects.toThrow('"grace" was an account')
    expect((await service.fetch('/grace')).status).toBe(404)
  })

  test('waits for others that write, and does not give up after two seconds as a page does', async () => {
    const held = Promise.withResolvers<void>()
    const other = service.db.writeAtLength(async (transaction) => {
      await lockFeed(transaction)
      held.resolve()
      await Bun.sleep(2_500)
    })
    await held.promise
    await seed(service.db, new Date())
    await other
    expect((await service.fetch('/ada')).status).toBe(200)
  })

  test('shows every freshness after any number of runs, and leaves other users alone', async () => {
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

  test('has accounts that one can sign in to, and tokens of an earlier seed still work', async () => {
    await seed(service.db, new Date())
    expect([await verifyPassword(seededPassword, seedMark), isOutdated(seedMark)]).toEqual([true, false])
    const person = await signIn(service, { username: 'newcomer', name: 'New Comer' }, seededPassword)
    const token = await rollToken(person, { password: seededPassword })
    await seed(service.db, new Date())
    const headers = { Authorization: `Bearer ${token}` }
    const body = new URLSearchParams({ message: 'Still here' })
    expect((await service.fetch('/api', { method: 'POST', headers, body })).status).toBe(201)
  })

  test('leaves no page of a project that only an earlier seed, or a user of it, deployed to', async () => {
    await seed(service.db, new Date())
    const person = await signIn(service, { username: 'grace', name: 'Grace Hopper' }, seededPassword)
    const token = await rollToken(person, { password: seededPassword })
    const headers = { Authorization: `Bearer ${token}` }
    const body = new URLSearchParams({ message: 'Once', url: 'https://github.com/navy/once/pull/1' })
    expect((await service.fetch('/api', { method: 'POST', headers, body })).status).toBe(201)
    expect((await service.fetch('/grace/github.com/navy/once')).status).toBe(200)
    await seed(service.db, new Date())
    expect((await service.fetch('/grace/github.com/navy/once')).status).toBe(404)
    expect((await service.fetch('/grace/github.com/navy/compiler')).status).toBe(200)
  })

  test('has a project for each host, repository, package and name, and live environments in each', async () => {
    await seed(service.db, new Date())
    const answer = await service.fetch('/api/current?user=payments')
    const { current } = (await answer.json()) as { current: { target: string; environment: string }[] }
    expect(current.map(({ target, environment }) => `${target} ${environment}`).toSorted()).toEqual([
      '-/shop/cart production',
      '-/shop/cart staging',
      '-/shop/checkout production',
      '-/shop/checkout staging',
      'gitlab.com/payments/api dev',
      'gitlab.com/payments/api production',
      'gitlab.com/payments/api staging',
      'gitlab.com/payments/api/@payments/settlement-and-reconciliation/- staging-eu-central-1',
    ])
  })

  test('counts deployments as announcing does', async () => {
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

describe('The command', () => {
  const directory = temporaryDirectory()
  afterAll(directory.remove)
  const dataDir = join(directory.path, 'data')
  const run = (environment = {}) =>
    endOf(startProcess({ DATA_DIR: dataDir, ...environment }, 'src/main.ts', 'seed'))

  test('fills an empty directory, does so again while the service runs there, and says how to sign in', async () => {
    const first = await run()
    expect([first.code, first.output]).toEqual([0, expect.stringMatching(told)])
    const service = startProcess({ DATA_DIR: dataDir })
    const url = await service.url
    const again = await run()
    expect([again.code, again.output]).toEqual([0, expect.stringMatching(told)])
    expect(await (await fetch(`${url}/badge/ada.json`)).json()).toMatchObject({ message: 'Fresh' })
    service.child.kill('SIGTERM')
    await endOf(service)
  })

  test('refuses production', async () => {
    const { code, output } = await run({ NODE_ENV: 'production' })
    expect(output).toEndWith('Shipfeed seed: it is for development only, and NODE_ENV is production\n')
    expect(code).toBe(1)
  })

  const told = /^Seeded ada, .*Password for all of them: ship it every day$/m
})
