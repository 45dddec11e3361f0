import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { fillTables } from '../support/dump/rows.ts'
import { untilReady } from '../support/eventually.ts'
import { signIn, signUpPoster } from '../support/people.ts'
import { doorOf, endOf, startProcess } from '../support/process.ts'

test('after a break-in, an operator ends all access to an account, and to all, but no password', async () => {
  const { url, drop } = await createPostgresDatabase()
  const db = await openPostgres(url)
  await db.migrated
  await fillTables(db, 3)
  // Otherwise the service would go on deleting these accounts.
  await query(db, sql`update retired_usernames set user_id = null`)
  await query(db, sql`update webhooks set paused_at = null, paused_because = null`)
  await query(
    db,
    sql`select setval(oid::regclass, 1000) from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
  )
  const environment = { DATABASE_URL: url }
  const service = startProcess(environment)
  const door = doorOf(await service.url)
  await untilReady(door)
  const run = (...words: string[]) => endOf(startProcess(environment, 'src/main.ts', 'end-access', ...words))
  const ada = await signUpPoster(door)
  const grace = await signUpPoster(door)
  const worksFor = async (poster: typeof ada) =>
    [(await poster.announce({ message: 'A' })).status, (await poster.get('/settings')).status] as const

  const what = 'the sessions, API tokens, read key, publishers, intakes and webhooks of'
  expect(await run(ada.username)).toEqual({
    code: 1,
    output: `Shipfeed end-access: End ${what} "${ada.username}"? This is not a terminal: confirm with --yes\n`,
  })
  expect(await worksFor(ada)).toEqual([201, 200])
  expect((await run(ada.username, '--yes')).output).toBe(`Ended ${what} 1 accounts. Passwords stay.\n`)
  expect([await worksFor(ada), await worksFor(grace)]).toEqual([
    [401, 303],
    [201, 200],
  ])
  expect((await (await signIn(door, ada)).get('/settings')).status).toBe(200)
  expect((await run('nobody-here', '--yes')).output).toContain('there is no user "nobody-here"')

  expect((await run('--all', '--yes')).output).toMatch(/^Ended .* of \d+ accounts\./)
  expect(await worksFor(grace)).toEqual([401, 303])
  const left = sql`
    select (select count(*)::int from sessions) as sessions, (select count(*)::int from devices) as devices,
      (select count(*)::int from tokens) as tokens, (select count(*)::int from read_keys) as keys,
      (select count(*)::int from publishers) as publishers, (select count(*)::int from intakes) as intakes,
      (select count(*)::int from password_links) as links,
      (select count(*)::int from webhooks where paused_because is null) as webhooks`
  const none = {
    sessions: 0,
    devices: 0,
    tokens: 0,
    keys: 0,
    publishers: 0,
    intakes: 0,
    links: 0,
    webhooks: 0,
  }
  expect(await query<unknown>(db, left)).toEqual([none])
  expect((await (await signIn(door, grace)).get('/settings')).status).toBe(200)
  await db.close()
  service.child.kill('SIGTERM')
  await endOf(service)
  await drop()
})
