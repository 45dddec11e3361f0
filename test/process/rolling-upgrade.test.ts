import { afterAll, expect } from 'bun:test'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { isMigrated } from '../../src/database/migrations.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createPostgresDatabase, query } from '../support/database.ts'
import { untilReady } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { doorOf, proxiedDoorOf, startCommand, startProcess, temporaryDirectory } from '../support/process.ts'

/** The sources of the last release, as `git archive` packs them, without snapshots; replaced with each release. */
const lastRelease = join(import.meta.dir, '../support/release/1.0.0.tar.gz')
const root = join(import.meta.dir, '../..')
const directory = temporaryDirectory()
afterAll(directory.remove)

needing('tar').test(
  'The last release serves on while this one migrates its database, starts again after that, and all count right',
  async () => {
    const { url, drop } = await createPostgresDatabase()
    await Bun.$`tar -xzf ${lastRelease} -C ${directory.path}`
    symlinkSync(join(root, 'node_modules'), join(directory.path, 'node_modules'))
    const before = startLastRelease(url)
    // Our OpenAPI document does not describe an older release.
    await untilReady(proxiedDoorOf(await before.url))
    const newer = startProcess({ DATABASE_URL: url })
    await untilReady(doorOf(await newer.url))
    const after = startLastRelease(url)
    const doors = [
      proxiedDoorOf(await before.url),
      doorOf(await newer.url),
      proxiedDoorOf(await after.url),
    ] as const
    for (const door of doors) await untilReady(door)

    const link = 'https://github.com/ada/engine/pull/1'
    for (const [n, door] of doors.entries()) {
      const other = doors[(n + 1) % doors.length] ?? door
      const username = `poster-${n}`
      const poster = await signUpPoster(door, { username })
      const ids: number[] = []
      // By turns on two processes, with one account and token.
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
          (select sum(deployments)::int from target_days) as target_days,
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
    expect(counts).toEqual({ days: 9, target_days: 9, deployments: 9, wrong_scopes: 0, wrong_targets: 0 })
    expect(await db.write(isMigrated)).toBeTrue()
    await db.close()
    for (const { child, output } of [before, newer, after]) {
      child.kill('SIGTERM')
      expect(await child.exited).toBe(0)
      expect(output()).not.toContain('"stack"')
    }
    await drop()
  },
)

function startLastRelease(url: string): ReturnType<typeof startCommand> {
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

function announce(
  door: ReturnType<typeof proxiedDoorOf>,
  { token }: Poster,
  fields: object,
): Promise<Response> {
  return door.fetch('/api', {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
}
