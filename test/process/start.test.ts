import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createPostgresDatabase, openEmbeddedDatabase, query, testDatabaseUrl } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { endOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('Starting', () => {
  test.each([
    ['for the first time', ['Creating a database in DATA_DIR/postgres', 'Migrating the database']],
    ['again', ['Opening DATA_DIR/postgres']],
  ])('%s says what it does, where it listens and where the data is', async (_, done) => {
    const dataDir = join(directory.path, 'data')
    const service = startProcess({ DATA_DIR: dataDir })
    const url = await service.url
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    service.child.kill('SIGTERM')
    const { code, output } = await endOf(service)
    expect(code).toBe(0)
    const news = linesOf(output).filter(isNews)
    expect(news.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
      ...done.map((line) => line.replace('DATA_DIR', dataDir)),
      'Shipfeed is stopping, and answers the requests in flight',
    ])
    expect(linesOf(output).filter((line) => !isNews(line))).toEqual([
      `Shipfeed listens on ${new URL(url).host}, public address http://shipfeed.test`,
      `Its data is in ${dataDir} (embedded Postgres; set DATABASE_URL for your own)`,
    ])
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  })

  test.skipIf(testDatabaseUrl === undefined)(
    'on Postgres (needs TEST_DATABASE_URL) says so without the password, and leaves DATA_DIR alone',
    async () => {
      const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
      const withPassword = new URL(url)
      withPassword.password = 'open-sesame'
      const dataDir = join(directory.path, 'unused')
      const service = startProcess({ DATABASE_URL: withPassword.href, DATA_DIR: dataDir })
      await service.url
      service.child.kill('SIGTERM')
      const { code, output } = await endOf(service)
      expect(code).toBe(0)
      expect(output).toContain('Its data is in the Postgres of DATABASE_URL\n')
      expect(output).not.toContain('open-sesame')
      expect(existsSync(dataDir)).toBe(false)
      await drop()
    },
  )
})

test('What a crash or a process of an older version left undone is done soon after a start', async () => {
  const dataDir = join(directory.path, 'left')
  const db = await openEmbeddedDatabase(dataDir)
  await query(
    db,
    sql`insert into users (username, name, password_hash) values ('ada', 'A', ''), ('gone', 'G', '')`,
  )
  await query(db, sql`insert into retired_usernames select username, id from users where username = 'gone'`)
  await query(
    db,
    sql`
      insert into deployments (user_id, message, url, scopes, deployed_at)
      select id, 'A', 'https://gitlab.com/g/sub/p/-/jobs/1', array[''], now() from users where username = 'ada'`,
  )
  await db.close()
  const service = startProcess({ DATA_DIR: dataDir })
  const url = await service.url
  const message = async (path: string) =>
    ((await (await fetch(url + path)).json()) as { message: string }).message
  await eventually(
    'the link is read again, and the account is gone',
    async () => {
      const isGone = (await fetch(`${url}/gone`)).status === 404
      return isGone && (await message('/badge/ada.json?url=gitlab.com/g/sub')) === 'Fresh'
    },
    30,
  )
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
})

describe('Starting is refused with one line that names the setting:', () => {
  test.each([
    ['PORT', { PORT: '99999' }],
    ['PORT', { PORT: 'http' }],
    ['BASE_URL', { BASE_URL: 'https://shipfeed.test/?path' }],
    ['BASE_URL', { BASE_URL: '', NODE_ENV: 'production' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:open-sesame@127.0.0.1/x' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
    ['REGISTRATION', { REGISTRATION: 'maybe' }],
    ['RATE_LIMIT_PER_MINUTE', { RATE_LIMIT_PER_MINUTE: '-1' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/33' }],
  ])('%s %p', async (name, environment) => {
    await expectRefused(name, environment)
  })

  test('a PORT that is in use', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(address !== null && typeof address === 'object' ? address.port : 0)
      })
    })
    await expectRefused(inUse(port), { PORT: String(port), DATA_DIR: join(directory.path, 'data') })
    server.close()
  })

  test('a PORT that another Shipfeed has', async () => {
    const first = startProcess({ DATA_DIR: join(directory.path, 'data') })
    const { port } = new URL(await first.url)
    await expectRefused(inUse(port), { PORT: port, DATA_DIR: join(directory.path, 'other') })
    first.child.kill('SIGKILL')
    await first.child.exited
  })

  test.skipIf(testDatabaseUrl === undefined)(
    'a DATABASE_URL whose database is not there (needs TEST_DATABASE_URL)',
    async () => {
      const url = new URL(testDatabaseUrl ?? '')
      url.pathname = '/shipfeed_nowhere'
      const refused = startProcess({ DATABASE_URL: url.href })
      const { code, output } = await endOf(refused)
      expect(code).toBe(1)
      expect(output.split('\n').at(-2)).toBe(
        'Shipfeed cannot start: the Postgres of DATABASE_URL says: database "shipfeed_nowhere" does not exist',
      )
    },
  )
})

function inUse(port: number | string): string {
  return `Port ${port} is in use. Stop what uses it, or set PORT.`
}

async function expectRefused(name: string, environment: Record<string, string>): Promise<void> {
  const { code, output } = await endOf(startProcess({ DATA_DIR: directory.path, ...environment }))
  const [refusal, ...more] = linesOf(output).filter((line) => !isNews(line))
  expect(refusal).toStartWith('Shipfeed cannot start: ')
  expect(refusal).toContain(name)
  expect(output).not.toContain('open-sesame')
  expect(more).toEqual([])
  expect(code).toBe(1)
}

function linesOf(output: string): string[] {
  return output.trimEnd().split('\n')
}

/** A start reports what it is doing in lines of the log. */
function isNews(line: string): boolean {
  return line.startsWith('{"at":')
}
