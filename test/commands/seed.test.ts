import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { seed } from '../../src/commands/seed.ts'
import { signUpPoster } from '../support/people.ts'
import { endOf, startProcess, temporaryDirectory } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

const freshness = ['Fresh', 'Warm', 'Active', 'Quiet', 'Stale', 'Inactive']

describe('The seed', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.close())

  test('shows every freshness, in any number of runs, and leaves other users alone', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'Not of the seed' })
    for (let run = 0; run < 2; run += 1) {
      await service.db.run((queries) => seed(queries, { passwordHash: '', now: new Date() }))
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

  test('refuses production, in one line, before it touches anything', async () => {
    const dataDir = join(directory.path, 'production')
    const refused = startProcess({ DATA_DIR: dataDir, NODE_ENV: 'production' }, 'src/commands/seed.ts')
    expect(await endOf(refused)).toEqual({
      code: 1,
      output: 'The seed is for development: it does not touch a database in production\n',
    })
    expect(await Array.fromAsync(new Bun.Glob('**').scan({ cwd: directory.path, dot: true }))).not.toContain(
      'production/lock',
    )
  }, 10_000)
})
