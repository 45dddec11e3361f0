import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'
import { projectOf } from '../../src/domain/project.ts'
import { scopeOf, scopesOf, targetOf } from '../../src/domain/target.ts'

const links = [
  'https://github.com/ada/engine/pull/412',
  'https://github.com/ada/engine/pull/413',
  'https://github.com/ada',
  'https://github.com',
  'https://codeberg.org/ada/notes',
  'https://gist.github.com/ada/1',
  'https://app.example.com/a/b/c',
  'http://192.0.2.1/a',
  null,
]

const client = new PGlite()
beforeAll(async () => {
  await client.waitReady
  for (const name of ['0000_announcements', '0001_withdrawals', '0002_refusals']) await migrate(name)
  await client.exec(`insert into users (username, name, password_hash) values ('ada', 'Ada', 'x')`)
  for (const [n, link] of links.entries()) {
    await client.query(
      `insert into deployments (user_id, message, url, scopes, deployed_at)
       values (1, 'A', $1, $2, timestamptz '2026-03-12 23:59:59Z' + make_interval(secs => $3))`,
      [link, scopesOf(targetOf(link ?? '')), n < 4 ? 0 : n],
    )
  }
  await migrate('0003_profiles')
})
afterAll(() => client.close())

test('deployments of before have the target that they would be given now', async () => {
  const { rows } = await client.query<{ target: string | null }>('select target from deployments order by id')
  expect(rows.map(({ target }) => target)).toEqual(
    links.map((link) => {
      const project = projectOf(link === null ? null : targetOf(link))
      return project === null ? null : scopeOf(project)
    }),
  )
})

test('and are counted, by target and by day in UTC', async () => {
  const { rows: targets } = await client.query('select target from targets order by target')
  expect(targets).toHaveLength(7)
  const { rows: days } = await client.query(
    'select day::text, deployments from daily_deployments order by day',
  )
  expect(days).toEqual([
    { day: '2026-03-12', deployments: 4 },
    { day: '2026-03-13', deployments: 5 },
  ])
})

async function migrate(name: string): Promise<void> {
  await client.exec(await Bun.file(new URL(`../../drizzle/${name}.sql`, import.meta.url)).text())
}
