import { afterAll, describe, expect, test } from 'bun:test'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { createPostgresDatabase, openLocalDatabase, query, testDatabaseUrl } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { endOf, linesOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('Starting', () => {
  test.each([
    ['for the first time', ['Creating a database in DATA_DIR/postgres']],
    ['again', ['Opening DATA_DIR/postgres']],
  ])('%s says what it does, where it listens, where the data is, and last what to open', async (_, done) => {
    const dataDir = join(directory.path, 'data')
    const service = startProcess({ DATA_DIR: dataDir })
    const url = await service.url
    await eventually('it is open', () => service.output().includes('Open '))
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    service.child.kill('SIGTERM')
    const { code, output } = await endOf(service)
    expect(code).toBe(0)
    const { log, others } = linesOf(output)
    const messages = log.map((line) => (JSON.parse(line) as { message: string }).message)
    // A slow machine also says that it migrates.
    expect(messages.filter((message) => message !== 'Migrating the database')).toEqual([
      ...done.map((line) => line.replace('DATA_DIR', dataDir)),
      'Shipfeed is stopping, and answers the requests in flight',
    ])
    expect(others).toEqual([
      `Shipfeed listens on ${new URL(url).host}`,
      `Its data is in ${dataDir} (a local Postgres; set DATABASE_URL for your own)`,
      'Open http://shipfeed.test',
    ])
    expect(statSync(dataDir).mode & 0o777).toBe(0o711)
  })

  test('on Postgres says so without the password, and leaves DATA_DIR alone', async () => {
    const { url, drop } = await createPostgresDatabase()
    const withPassword = new URL(url)
    withPassword.password = 'open-sesame'
    const dataDir = join(directory.path, 'unused')
    const service = startProcess({ DATABASE_URL: withPassword.href, DATA_DIR: dataDir })
    // On a slow machine, it listens before it has migrated.
    await eventually('it is open', () => service.output().includes('Open '))
    service.child.kill('SIGTERM')
    const { code, output } = await endOf(service)
    expect(code).toBe(0)
    expect(output).toContain(
      'Its data is in the Postgres server in DATABASE_URL\nOpen http://shipfeed.test\n',
    )
    expect(output).not.toContain('open-sesame')
    expect(existsSync(dataDir)).toBe(false)
    await drop()
  })

  test('on Postgres is refused in one line if its database is not there', async () => {
    const url = new URL(testDatabaseUrl)
    url.pathname = '/shipfeed_nowhere'
    const refused = startProcess({ DATABASE_URL: url.href })
    const { code, output } = await endOf(refused)
    expect(code).toBe(1)
    expect(output.split('\n').at(-2)).toBe(
      'Shipfeed cannot start: the Postgres server in DATABASE_URL says: database "shipfeed_nowhere" does not exist',
    )
  })
})

test('What a crash or a process of an older version left undone is done soon after a start', async () => {
  const dataDir = join(directory.path, 'left')
  const db = await openLocalDatabase(dataDir)
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
  await eventually('the link is read again, and the account is gone', async () => {
    const isGone = (await fetch(`${url}/gone`)).status === 404
    return isGone && (await message('/badge/ada.json?url=gitlab.com/g/sub')) === 'Fresh'
  })
  service.child.kill('SIGTERM')
  expect((await endOf(service)).code).toBe(0)
})
