import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { hashSecret } from '../../../src/data/account/secret.ts'
import { recorder } from '../../../src/data/recording.ts'
import { rereadLinks } from '../../../src/data/upkeep/rereading.ts'
import { query } from '../../support/database.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const { db } = service

/** What posted: the version before the second rule, and this one. */
let older: Poster
let newer: Poster
beforeEach(async () => {
  older = await signUpPoster(service)
  newer = await signUpPoster(service)
})

/** Links, the path of each as the first rule cut it, and its target by that rule. */
const links: readonly (readonly [url: string | null, host: string, path: string[], target: string | null])[] =
  [
    [
      'https://github.com/ada/engine/pull/412',
      'github.com',
      ['ada', 'engine', 'pull', '412'],
      'github.com/ada/engine',
    ],
    [
      'https://github.com/ada/engine/pull/413',
      'github.com',
      ['ada', 'engine', 'pull', '413'],
      'github.com/ada/engine',
    ],
    [
      'https://gitlab.com/g/sub/p/-/jobs/1',
      'gitlab.com',
      ['g', 'sub', 'p', '-', 'jobs', '1'],
      'gitlab.com/g/sub',
    ],
    ['https://ci.ada.dev/x/y', 'ci.ada.dev', ['x', 'y'], 'ci.ada.dev'],
    [
      'https://git.example.org/kernel/commit/abc',
      'git.example.org',
      ['kernel', 'commit', 'abc'],
      'git.example.org',
    ],
    ['https://www.com/', 'com', [], 'com'],
    // The first rule measured by other units than the form did, and took this for none.
    [`https://long.example/${'🚀'.repeat(1_100)}`, '', [], null],
    [null, '', [], null],
  ]

test('what the first rule read is read again as if it had been announced now', async () => {
  await announceAll(newer)
  await announceByFirstRule(older, links)
  expect(await storedOf(older)).not.toEqual(await storedOf(newer))
  await rereadLinks(db)
  expect(await storedOf(older)).toEqual(await storedOf(newer))
  expect(await latestAsCounted(older)).toBeTrue()
})

test('a process of the version before, beside this one, does no lasting harm', async () => {
  await announceAll(newer)
  await announceAll(older)
  await announceByFirstRule(older, links.slice(0, 4))
  const badge = async (filter: string) => {
    const response = await service.fetch(`/badge/${older.username}.json?url=${encodeURIComponent(filter)}`)
    return ((await response.json()) as { message: string }).message
  }
  expect(await badge('ada.dev/x')).toBe('Fresh')
  await rereadLinks(db)
  expect(await badge('ada.dev/x')).toBe('Inactive')
  expect(await badge('gitlab.com/g/sub/p/-')).toBe('Fresh')
  const [stored, expected] = [await storedOf(older), await storedOf(newer)]
  expect({ ...stored, deployments: null }).toEqual({ ...expected, deployments: null })
  expect(await latestAsCounted(older)).toBeTrue()
})

test('where there is nothing to read again, nothing is touched', async () => {
  await announceAll(newer)
  const before = await query(db, sql`select xmin::text, id from deployments order by id`)
  await rereadLinks(db)
  expect(await query(db, sql`select xmin::text, id from deployments order by id`)).toEqual(before)
})

async function announceAll({ token }: Poster): Promise<void> {
  const record = recorder(db, 0)
  for (const [url] of links) {
    const announcement = { message: 'A', url, category: null }
    await record({ tokenHash: hashSecret(token), announcement, idempotencyKey: null })
  }
}

/**
 * Writes what that version wrote: the host and its parents, each alone and with each beginning of the path.
 */
async function announceByFirstRule({ username }: Poster, posted: typeof links): Promise<void> {
  const userId = sql`(select id from users where username = ${username})`
  for (const [url, host, path, target] of posted) {
    const paths = ['', ...path.map((_, n) => `/${path.slice(0, n + 1).join('/')}`)]
    const hosts = host === '' ? [] : host.split('.').map((_, n, labels) => labels.slice(n).join('.'))
    const scopes = JSON.stringify([
      '',
      ...hosts.flatMap((name) => paths.map((beginning) => name + beginning)),
    ])
    const scope = sql`jsonb_array_elements_text(${scopes}::jsonb)`
    await query(
      db,
      sql`
        insert into deployments (user_id, message, url, scopes, target, deployed_at)
        select ${userId}, 'A', ${url}, array(select ${scope}), ${target}, clock_timestamp()`,
    )
    await query(
      db,
      sql`
        insert into latest_deployments (user_id, scope, deployed_at)
        select ${userId}, ${scope}, (select max(deployed_at) from deployments where user_id = ${userId})
        on conflict (user_id, scope) do update set deployed_at = excluded.deployed_at`,
    )
    if (target === null) continue
    await query(
      db,
      sql`
        insert into targets (user_id, target, deployed_at)
        select ${userId}, ${target}, max(deployed_at) from deployments where user_id = ${userId}
        on conflict (user_id, target) do update set deployed_at = excluded.deployed_at`,
    )
  }
}

async function storedOf({ username }: Poster) {
  const owner = sql`where user_id = (select id from users where username = ${username})`
  return {
    deployments: await query(db, sql`select url, scopes, target from deployments ${owner} order by id`),
    scopes: await query(db, sql`select scope from latest_deployments ${owner} order by scope collate "C"`),
    targets: await query(db, sql`select target from targets ${owner} order by target collate "C"`),
    covered: await query(
      db,
      sql`select scope, target from target_scopes ${owner} order by scope collate "C", target collate "C"`,
    ),
  }
}

async function latestAsCounted({ username }: Poster): Promise<boolean> {
  const [row] = await query<{ wrong: number }>(
    db,
    sql`
      select count(*)::int as wrong from latest_deployments l
      where user_id = (select id from users where username = ${username}) and deployed_at is distinct from (
        select max(deployed_at) from deployments d where d.user_id = l.user_id and l.scope = any(d.scopes)
      )`,
  )
  return row?.wrong === 0
}
