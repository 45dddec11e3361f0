import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { areLinksUnread } from '../../../src/capabilities/pruning/store.ts'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { recorder } from '../../../src/data/recording.ts'
import { rereadLinks } from '../../../src/data/upkeep/rereading.ts'
import { query } from '../../support/database.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const { db } = service

/** A user of a version with an older rule, and a user of this version. */
let older: Poster
let newer: Poster
beforeEach(async () => {
  older = await signUpPoster(service)
  newer = await signUpPoster(service)
})

/** Links, with the host, path and target that the first rule read from each. */
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
    // The first rule measured length in other units than the form, and did not read this as a link.
    [`https://long.example/${'🚀'.repeat(1_100)}`, '', [], null],
    [null, '', [], null],
  ]

test('links that the first rule read are read again as if they were announced now', async () => {
  await announceAll(newer)
  await announceByFirstRule(older, links)
  expect(await storedOf(older)).not.toEqual(await storedOf(newer))
  await rereadLinks(db)
  expect(await storedOf(older)).toEqual(await storedOf(newer))
  expect(await latestAsCounted(older)).toBeTrue()
})

test('a process of the first rule that runs next to this one does no lasting harm', async () => {
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

/** Links, oldest first, with the scopes of the second rule, which did not know `.git`. */
const byTheSecond: readonly (readonly [url: string, scopes: readonly string[]])[] = [
  ['https://gitlab.com/g/s/other', ['gitlab.com', 'gitlab.com/g', 'gitlab.com/g/s']],
  ['https://gitlab.com/g/s/p.git', ['gitlab.com', 'gitlab.com/g', 'gitlab.com/g/s']],
  ['https://github.com/ada/engine', ['github.com', 'github.com/ada', 'github.com/ada/engine']],
  ['https://github.com/ada/engine.git', ['github.com', 'github.com/ada', 'github.com/ada/engine.git']],
  ['https://github.com/ada/wheel%2EGit', ['github.com', 'github.com/ada', 'github.com/ada/wheel.git']],
  ['https://git.ada.dev/x.git/y', ['git.ada.dev', 'ada.dev', 'git.ada.dev/x.git', 'git.ada.dev/x.git/y']],
  ['https://ada.github.io/', ['ada.github.io', 'github.io']],
]

test('links that the second rule read are read again if they end with .git, and no others are touched', async () => {
  for (const [url] of byTheSecond) await announceNow(newer, url)
  await announceBySecondRule(older)
  const owner = sql`where user_id = (select id from users where username = ${older.username})`
  const untouched = async () =>
    await query(
      db,
      sql`select xmin::text, url from deployments ${owner} and url !~* '[.]git(/|$)|%2E' order by id`,
    )
  const before = await untouched()
  expect(before).toHaveLength(3)
  expect(await storedOf(older)).not.toEqual(await storedOf(newer))
  expect(await areLinksUnread(db)).toBeTrue()
  await rereadLinks(db)
  expect(await areLinksUnread(db)).toBeFalse()
  expect(await storedOf(older)).toEqual(await storedOf(newer))
  expect(await untouched()).toEqual(before)
  expect(await latestAsCounted(older)).toBeTrue()
  const days = sql`select target, sum(deployments)::int as n from target_days ${owner} group by 1 order by target collate "C"`
  const counted = sql`select target, count(*)::int as n from deployments ${owner} group by 1 order by target collate "C"`
  expect(await query(db, days)).toEqual(await query(db, counted))
  const [wrong] = await query<{ n: number }>(
    db,
    sql`
      select count(*)::int as n from targets t ${owner} and deployed_at is distinct from (
        select max(deployed_at) from deployments d where d.user_id = t.user_id and d.target = t.target
      )`,
  )
  expect(wrong?.n).toBe(0)
})

test('a process of the second rule that runs next to this one does no lasting harm', async () => {
  for (const [url] of byTheSecond) await announceNow(newer, url)
  for (const _ of [1, 2]) {
    await announceBySecondRule(older)
    await rereadLinks(db)
    const [stored, expected] = [await storedOf(older), await storedOf(newer)]
    expect({ ...stored, deployments: null }).toEqual({ ...expected, deployments: null })
    expect(await latestAsCounted(older)).toBeTrue()
  }
})

/** Links with the scope that the third rule read from each as their target. */
const byTheThird: readonly (readonly [url: string, target: string])[] = [
  ['https://shop.example.com/releases/v1', 'shop.example.com/releases/v1'],
  ['https://ci.example.com/Builds/101?x=1', 'ci.example.com/builds/101'],
  ['https://ci.example.com/101#x', 'ci.example.com/101'],
  ['https://ci.example.com/%62uilds/1', 'ci.example.com/builds/1'],
  ['https://ci.example.com\\builds\\1', 'ci.example.com/builds/1'],
  ['https://codeberg.org/ada/src', 'codeberg.org/ada'],
  ['https://github.com/ada/tags/commit/abcdef0', 'github.com/ada'],
  ['https://github.com/ada/shop/releases/tag/read-v1.2.3', 'github.com/ada/shop'],
  ['https://github.com/ada/shop/releases/tag/@ada/read@v1', 'github.com/ada/shop'],
  ['https://github.com/ada/shop/releases/tag/%40ada%2Fread%401', 'github.com/ada/shop'],
  ['https://gitlab.com/group/shop/-/tags/read@2', 'gitlab.com/group/shop'],
  ['https://github.com/ada/shop/releases/tag/sdk/v1.2.3', 'github.com/ada/shop'],
  ['https://github.com/ada/helm-charts/releases/tag/grafana-8.3.2', 'github.com/ada/helm-charts'],
  ['https://jenkins.example.com/job/shop/job/engine/', 'jenkins.example.com/job/shop'],
  ['https://app.circleci.example.com/workflows/3f2a', 'app.circleci.example.com/workflows/3f2a'],
  ['https://dev.azure.com/ada/_git/shop', 'dev.azure.com/ada/_git'],
]
const keptByTheThird: typeof byTheThird = [
  ['https://github.com/ada/engine/pull/412', 'github.com/ada/engine'],
  ['https://gitlab.com/g/sub/p/-/jobs/1', 'gitlab.com/g/sub/p/-'],
  ['https://app.example.com/shop', 'app.example.com/shop'],
  ['https://github.com/ada/engine/releases/tag/v1.2.3', 'github.com/ada/engine'],
]

test('links that the third rule read are read again if this one reads them differently', async () => {
  const all = [...byTheThird, ...keptByTheThird]
  for (const [url] of all) await announceNow(newer, url)
  for (const [url, target] of all) {
    const scopes = ['', ...target.split('/').map((_, n, path) => path.slice(0, n + 1).join('/'))]
    const call = { token_hash: hashSecret(older.token), message: 'A', url, scopes, target }
    await query(db, sql`select announce(${JSON.stringify([call])}::json, 0, 3::smallint)`)
  }
  const kept = sql`
    select xmin::text, url from deployments
    where user_id = (select id from users where username = ${older.username}) and target_rule = 3 order by id`
  expect(await query(db, kept)).toHaveLength(all.length)
  await rereadLinks(db)
  const stored = await query<{ url: string }>(db, kept)
  expect(stored.map(({ url }) => url)).toEqual(keptByTheThird.map(([url]) => url))
  expect((await storedOf(older)).targets).toEqual((await storedOf(newer)).targets)
  expect(await latestAsCounted(older)).toBeTrue()
})

test('nothing is touched if no link has to be read again', async () => {
  await announceAll(newer)
  const before = await query(db, sql`select xmin::text, id from deployments order by id`)
  await rereadLinks(db)
  expect(await query(db, sql`select xmin::text, id from deployments order by id`)).toEqual(before)
})

async function announceAll(poster: Poster): Promise<void> {
  for (const [url] of links) await announceNow(poster, url)
}

async function announceNow({ token }: Poster, url: string | null): Promise<void> {
  const announcement = { message: 'A', url, category: null }
  await recorder(db, 0)({ tokenHash: hashSecret(token), announcement, idempotencyKey: null })
}

/** Calls the function of the database as a process with the second rule does. */
async function announceBySecondRule({ token }: Poster): Promise<void> {
  for (const [url, below] of byTheSecond) {
    const target = url.includes('ada.github.io') ? 'ada.github.io' : below.at(-1)
    const call = { token_hash: hashSecret(token), message: 'A', url, scopes: ['', ...below], target }
    await query(db, sql`select announce(${JSON.stringify([call])}::json, 0, 2::smallint)`)
  }
}

/** Writes the rows of the first rule: the host and its parents, each alone and with each beginning of the path. */
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
