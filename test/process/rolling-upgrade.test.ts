import { afterAll, expect, test } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query, testDatabaseUrl } from '../support/database.ts'
import { untilReady } from '../support/eventually.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, startCommand, startProcess, temporaryDirectory } from '../support/process.ts'

/** Its sources, as `git archive` packs them; replaced with each release. */
const lastRelease = join(import.meta.dir, '../support/release/0.1.0.tar.gz')
const root = join(import.meta.dir, '../..')
const directory = temporaryDirectory()
afterAll(directory.remove)

test.skipIf(testDatabaseUrl === undefined)(
  'The last release serves on beside this one, after the migrations of this one, and both count right (needs TEST_DATABASE_URL)',
  async () => {
    const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
    const older = await startLastRelease(url)
    const newer = startProcess({ DATABASE_URL: url })
    const doors = [doorOf(await older.url, 60), doorOf(await newer.url)]
    for (const door of doors) await untilReady(door)

    const link = 'https://github.com/ada/engine/pull/1'
    for (const [n, door] of doors.entries()) {
      const other = doors[1 - n] ?? door
      const username = `poster-${n}`
      const poster = await signUpPoster(door, { username })
      const ids: number[] = []
      // By turns on both processes, with one account and token.
      for (const one of [door, other, door, other]) {
        const response = await announce(one, poster, { message: `By process ${n}`, url: link })
        expect(response.status).toBe(201)
        ids.push(((await response.json()) as { id: number }).id)
      }
      const last = ids.at(-1)
      expect((await poster.send(`/${username}/${last}/delete`, {})).status).toBe(303)
      for (const one of doors) {
        const badge = (await (await one.fetch(`/badge/${username}.json?url=${link}`)).json()) as object
        expect(badge).toMatchObject({ message: 'Fresh' })
        for (const path of ['/', `/${username}`]) {
          const page = await (await one.fetch(path)).text()
          expect(page).toContain(`deployment-${ids[2]}`)
          expect(page).not.toContain(`deployment-${last}`)
        }
        expect((await one.fetch(`/${username}/${last}`)).status).toBe(404)
      }
    }

    const db = await openPostgres(url)
    await db.migrated
    const [counts] = await query(
      db,
      sql`
        select (select sum(deployments)::int from daily_deployments) as days,
          (select count(*)::int from deployments) as deployments,
          (
            select count(*)::int from latest_deployments l where deployed_at <> (
              select max(deployed_at) from deployments d where d.user_id = l.user_id and l.scope = any(d.scopes)
            )
          ) as wrong_scopes,
          (
            select count(*)::int from targets t where deployed_at <> (
              select max(deployed_at) from deployments d where d.user_id = t.user_id and d.target = t.target
            )
          ) as wrong_targets`,
    )
    expect(counts).toEqual({ days: 6, deployments: 6, wrong_scopes: 0, wrong_targets: 0 })
    await db.close()
    for (const { child, output } of [older, newer]) {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      expect(output()).not.toContain('"stack"')
    }
    await drop()
  },
  60_000,
)

async function startLastRelease(url: string): Promise<ReturnType<typeof startCommand>> {
  await Bun.$`tar -xzf ${lastRelease} -C ${directory.path}`
  symlinkSync(join(root, 'node_modules'), join(directory.path, 'node_modules'))
  // The new schema is there before it starts.
  const db = await openPostgres(url)
  await db.migrated
  await db.close()
  return startCommand([process.execPath, 'src/main.ts'], {
    cwd: directory.path,
    env: {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: '0',
      BASE_URL: 'http://shipfeed.test',
      DATABASE_URL: url,
    },
  })
}

function announce(door: ReturnType<typeof doorOf>, { token }: Poster, fields: object): Promise<Response> {
  return door.fetch('/api', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
}
