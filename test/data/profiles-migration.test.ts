import { afterAll, beforeAll, expect, test } from 'bun:test'
import { PGlite } from '@electric-sql/pglite'

/** Links, the scopes that were stored of them before there were targets, and the target that they get. */
const links: readonly (readonly [scopes: readonly string[], target: string | null])[] = [
  [hostAndPath('github.com', 'ada', 'engine', 'pull', '412'), 'github.com/ada/engine'],
  [hostAndPath('github.com', 'ada', 'engine', 'pull', '413'), 'github.com/ada/engine'],
  [hostAndPath('github.com', 'ada'), 'github.com/ada'],
  [hostAndPath('github.com'), 'github.com'],
  [hostAndPath('codeberg.org', 'ada', 'notes'), 'codeberg.org/ada/notes'],
  [hostAndPath('gist.github.com', 'ada', '1'), 'gist.github.com'],
  [hostAndPath('app.example.com', 'a', 'b', 'c'), 'app.example.com'],
  [['', '192.0.2.1', '192.0.2.1/a'], '192.0.2.1'],
  [[''], null],
]

const client = new PGlite()
beforeAll(async () => {
  await client.waitReady
  for (const name of ['0000_announcements', '0001_withdrawals', '0002_refusals']) await migrate(name)
  await client.exec(`insert into users (username, name, password_hash) values ('ada', 'Ada', 'x')`)
  for (const [n, [scopes]] of links.entries()) {
    await client.query(
      `insert into deployments (user_id, message, scopes, deployed_at)
       values (1, 'A', $1, timestamptz '2026-03-12 23:59:59Z' + make_interval(secs => $2))`,
      [scopes, n < 4 ? 0 : n],
    )
  }
  await migrate('0003_profiles')
})
afterAll(() => client.close())

test('deployments of before have the target that they were given then', async () => {
  const { rows } = await client.query<{ target: string | null }>('select target from deployments order by id')
  expect(rows.map(({ target }) => target)).toEqual(links.map(([, target]) => target))
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

/** As they were stored: the host and its parents, each alone and with each beginning of the path. */
function hostAndPath(host: string, ...segments: readonly string[]): string[] {
  const paths = ['', ...segments.map((_, n) => `/${segments.slice(0, n + 1).join('/')}`)]
  const hosts = host.split('.').map((_, n, labels) => labels.slice(n).join('.'))
  return ['', ...hosts.flatMap((name) => paths.map((path) => name + path))]
}
