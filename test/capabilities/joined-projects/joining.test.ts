import { beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { findMiscounts } from '../../../src/data/miscounts.ts'
import { moveJoined } from '../../../src/data/upkeep/moving.ts'
import { rereadLinks } from '../../../src/data/upkeep/rereading.ts'
import { tables } from '../../../src/table-uses.ts'
import { addImport, json, post, release } from '../../support/api.ts'
import { emptyDatabase, openTestDatabase, query } from '../../support/database.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/markup.ts'
import { addToken, type Poster, password, signUpPoster } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'

const service = await useService()
const { db } = service

const old = 'github.com/ada/motor'
const now = 'github.com/ada/engine'

let ada: Poster
beforeEach(async () => {
  await emptyDatabase(db)
  ada = await signUpPoster(service, { username: 'ada' })
})

const linked = (target: string, more: object = {}) => ({
  message: `To ${target}`,
  url: `https://${target}/commit/abcdef0`,
  environment: 'production',
  ...more,
})

async function join(spelling: string, target: string, poster = ada): Promise<Response> {
  return await poster.send('/settings/projects', { spelling, target })
}

async function joined(spelling: string, target: string, poster = ada): Promise<void> {
  const response = await join(spelling, target, poster)
  expect(response.status).toBe(303)
}

const jsonOf = async <Body>(path: string, from: Pick<Service, 'fetch'> = service) =>
  (await (await from.fetch(path)).json()) as Body

/** The ids that the list of a target has. */
async function listed(target: string, username = 'ada', from: Pick<Service, 'fetch'> = service) {
  const { deployments } = await jsonOf<{ deployments: readonly { id: number }[] }>(
    `/api/deployments?user=${username}&limit=100&target=${encodeURIComponent(target)}`,
    from,
  )
  return deployments.map(({ id }) => id)
}

const statusOf = async (path: string) => (await service.fetch(path)).status

async function nothingIsWrong(): Promise<void> {
  expect(Array.from(await db.readPrimary(findMiscounts))).toEqual([])
}

test('two spellings become one project, in pages, lists, boards, badges and feeds', async () => {
  const first = await ada.announced(linked(old, { version: 'v1' }))
  const second = await ada.announced(linked(now, { environment: 'staging', version: 'v2' }))
  expect(await listed(now)).toEqual([second])
  await joined(old, now)

  expect(await listed(now)).toEqual([second, first])
  const page = await (await service.fetch(`/ada/${now}`)).text()
  expect(page).toContain(`/ada/${first}`)
  expect(page).toContain(`/ada/${second}`)
  const { current } = await jsonOf<{ current: readonly { id: number; target: string }[] }>(
    `/api/current?user=ada&target=${now}`,
  )
  expect(current.map(({ id, target }) => [id, target])).toEqual([
    [second, now],
    [first, now],
  ])
  // What reads the former spelling reads the same.
  expect(await listed(old)).toEqual([second, first])
  for (const [was, is] of [
    [`/badge/ada.json?url=${old}`, `/badge/ada.json?url=${now}`],
    [`/badge/ada/${old}.json`, `/badge/ada/${now}.json`],
    [`/badge/ada.json?url=${old}&env=production`, `/badge/ada.json?url=${now}&env=production`],
    [`/badge/ada/${old}.svg?show=version`, `/badge/ada/${now}.svg?show=version`],
    [`/badge/ada/${old}.svg?show=environments`, `/badge/ada/${now}.svg?show=environments`],
    [`/ada/${old}/year.svg`, `/ada/${now}/year.svg`],
    [`/api/current?user=ada&target=${old}`, `/api/current?user=ada&target=${now}`],
    [`/api/releases?user=ada&target=${old}`, `/api/releases?user=ada&target=${now}`],
    [
      `/api/compare?user=ada&project=${old}&from=staging&to=production`,
      `/api/compare?user=ada&project=${now}&from=staging&to=production`,
    ],
    [`/ada/${old}/changelog`, `/ada/${now}/changelog`],
    [`/ada/${old}/releases`, `/ada/${now}/releases`],
    [`/environments?project=ada/${old}`, `/environments?project=ada/${now}`],
  ] as const) {
    const [one, other] = [await service.fetch(was), await service.fetch(is)]
    expect([was, one.status]).toEqual([was, 200])
    const strip = (text: string) =>
      text
        .replaceAll(old, now)
        .replaceAll(encodeURIComponent(old), encodeURIComponent(now))
        // A second may end between the two.
        .replaceAll(/ data-now="[^"]*"/g, '')
    expect([was, strip(await one.text())]).toEqual([was, strip(await other.text())])
  }
  expect(await (await service.fetch(`/ada/feed.atom?target=${old}`)).text()).toContain(`/ada/${first}`)
  await nothingIsWrong()
})

test('the page of the former spelling redirects, with its query, while it has nothing of its own', async () => {
  await ada.announced(linked(old))
  await ada.announced(linked(now))
  await joined(old, now)
  const response = await service.fetch(`/ada/${old}?env=production&before=1000`)
  expect(response.status).toBe(308)
  expect(response.headers.get('location')).toBe(`/ada/${now}?env=production&before=1000`)
  expect((await service.fetch(`/ada/${old}/pull/4`)).headers.get('location')).toBe(`/ada/${now}`)
  expect(await statusOf(`/ada/${old}s`)).toBe(404)
  await ada.send('/settings/projects/separate', { spelling: old })
  expect(await statusOf(`/ada/${old}`)).toBe(404)
})

test('what is announced afterwards counts for the project, and a retry finds it', async () => {
  await ada.announced(linked(old))
  await joined(old, '-/engine')
  const headers = { 'Idempotency-Key': 'one' }
  const response = await ada.announce(linked(old), headers)
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as { id: number }
  const again = await ada.announce(linked(old), headers)
  expect([again.status, ((await again.json()) as { id: number }).id]).toEqual([201, id])
  expect((await listed('-/engine'))[0]).toBe(id)
  expect(await listed(old)).toHaveLength(2)
  expect(await listed('github.com')).toEqual([])
  await nothingIsWrong()
})

test('history that is added afterwards counts for the project', async () => {
  await ada.announced(linked(old))
  await joined(old, now)
  await addImport(service, ada, [release(1, '2020-01-01T00:00:00Z', { key: 'a', url: `https://${old}` })])
  expect(await listed(now)).toHaveLength(2)
  await nothingIsWrong()
})

test('rereading links undoes nothing, and joins what an older rule has read', async () => {
  const id = await ada.announced(linked(old))
  await joined(old, now)
  await query(db, sql`update deployments set target_rule = null where id = ${id}`)
  await rereadLinks(db)
  expect(await listed(now)).toEqual([id])
  expect(await query(db, sql`select target, target_rule from deployments`)).toEqual([
    { target: now, target_rule: 4 },
  ])
  await nothingIsWrong()
})

test('a withdrawal afterwards leaves what was before it', async () => {
  const first = await ada.announced(linked(old))
  const last = await ada.announced(linked(old))
  await joined(old, now)
  await ada.send(`/ada/${last}/delete`, {})
  expect(await listed(now)).toEqual([first])
  await ada.send(`/ada/${first}/delete`, {})
  expect(await statusOf(`/ada/${now}`)).toBe(404)
  await nothingIsWrong()
})

test('many are moved in chunks, by whoever comes first, and more than once does no harm', async () => {
  for (let n = 0; n < 45; n++) await ada.announced(linked(old, { message: `Release ${n}` }))
  await Promise.all([joined(old, now), moveJoined(db), moveJoined(db)])
  await moveJoined(db)
  expect(await listed(now)).toHaveLength(45)
  expect(await query(db, sql`select moved_at is null as is_moving from joined_projects`)).toEqual([
    { is_moving: false },
  ])
  await nothingIsWrong()
})

test('of announcements at the same moment, none is left behind', async () => {
  await ada.announced(linked(old))
  const all = Array.from({ length: 60 }, (_, n) => ada.announced(linked(old, { message: `Release ${n}` })))
  await Promise.all([...all, joined(old, now), moveJoined(db)])
  await moveJoined(db)
  expect(await listed(now)).toHaveLength(61)
  expect(await query(db, sql`select from deployments where target = ${old}`)).toEqual([])
  expect(await query(db, sql`select from joined_projects where moved_at is null`)).toEqual([])
  await nothingIsWrong()
})

test('a check says what the announcement would replace in the project', async () => {
  const id = await ada.announced(linked(now, { version: 'v1' }))
  await ada.announced(linked(old, { version: 'v0', environment: 'staging' }))
  await joined(old, now)
  const headers = { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify(linked(old, { version: 'v2' }))
  const response = await service.fetch('/api/check', { method: 'POST', headers, body })
  expect(((await response.json()) as { previous: { id: number } }).previous.id).toBe(id)
})

test('a search within the former spelling finds what is in the project', async () => {
  const id = await ada.announced(linked(old, { message: 'A green zebra' }))
  await joined(old, now)
  const q = encodeURIComponent(`zebra @ada ${old}`)
  const { deployments } = await jsonOf<{ deployments: readonly { id: number }[] }>(`/api/deployments?q=${q}`)
  expect(deployments.map((one) => one.id)).toEqual([id])
})

test('what was joined into a project goes with it, and a joined target means the one it belongs to', async () => {
  const [one, two, three] = ['-/one', '-/two', '-/three']
  const named = (name: string) => ada.announced({ message: name, project: name })
  const ids = [await named('one'), await named('two'), await named('three')].reverse()
  await joined(one, two)
  await joined(two, three)
  expect(await listed(three)).toEqual(ids)
  expect(await listed(one)).toEqual(ids)
  await ada.announced({ message: 'four', project: 'four' })
  await joined('-/four', one)
  expect(await listed(three)).toHaveLength(4)
  await nothingIsWrong()
})

test('a form that makes no sense is refused with the reason', async () => {
  await ada.announced(linked(old))
  await ada.announced(linked(now))
  const reasonOf = async (spelling: string, target: string) => {
    const response = await join(spelling, target)
    expect(response.status).toBe(422)
    return textOf(await response.text(), '.reasons')
  }
  expect(await reasonOf(old, old)).toContain('is the same project')
  expect(await reasonOf('', now)).toContain("can't be blank")
  expect(await reasonOf(old, `${now}, ada.dev`)).toContain('can be only one')
  expect(await reasonOf('github.com/ada/other', now)).toContain('is no project that you have deployed to')
  expect(await reasonOf('nonsense', now)).toContain('is not a host or project')
  await joined(old, now)
  await ada.announced(linked(now))
  expect(await reasonOf(now, old)).toContain('is joined into that project')
  await query(
    db,
    sql`
      insert into joined_projects (user_id, spelling, target, scopes)
      select id, 'n-' || n || '.example', ${now}, '{}' from users, generate_series(1, 98) n`,
  )
  await ada.announced(linked('github.com/ada/last'))
  await ada.announced(linked('github.com/ada/beyond'))
  await joined('github.com/ada/last', now)
  expect(await reasonOf('github.com/ada/beyond', now)).toContain('you have joined 100, which is the limit')
})

test('the projects of others stay as they are, and so does a token that is bound', async () => {
  const grace = await signUpPoster(service, { username: 'grace' })
  const hers = await grace.announced(linked(old))
  await ada.announced(linked(old))
  await joined(old, now)
  expect(await listed(old, 'grace')).toEqual([hers])
  await grace.announced(linked(old))
  expect(await statusOf(`/grace/${old}`)).toBe(200)
  expect(await statusOf(`/grace/${now}`)).toBe(404)
  const { token } = await addToken(ada, { name: 'old', targets: old })
  expect((await post(service, token, json(linked(old)))).status).toBe(201)
  expect((await post(service, token, json(linked(now)))).status).toBe(403)
  const withdrawing = await addToken(ada, { name: 'withdraws', withdraw: 'on', targets: old })
  const withdraw = async (id: number) =>
    (
      await service.fetch(`/api/deployments/${id}`, {
        method: 'DELETE',
        headers: { Authorization: `Bearer ${withdrawing.token}` },
      })
    ).status
  expect(await withdraw(await ada.announced(linked(now)))).toBe(403)
  expect(await withdraw(await ada.announced(linked(old)))).toBe(204)
  await nothingIsWrong()
})

test('separating what is not joined changes nothing, whatever it is', async () => {
  for (const spelling of ['', old, '\0', 'é'.repeat(3_000)])
    expect((await ada.send('/settings/projects/separate', { spelling })).status).toBe(303)
})

test('separated, new announcements count for the spelling again', async () => {
  const moved = await ada.announced(linked(old))
  await joined(old, now)
  await ada.send('/settings/projects/separate', { spelling: old })
  const own = await ada.announced(linked(old))
  expect(await listed(old)).toEqual([own])
  expect(await listed(now)).toEqual([moved])
  await nothingIsWrong()
})

test('a dump has what is joined, and an account takes it along when it is deleted', async () => {
  await ada.announced(linked(old))
  await joined(old, now)
  await using copy = await opened(openTestDatabase())
  await restoreDump(copy.db, tables, streamOf(await dumpOf(db)))
  await using restored = await startService({}, copy.db)
  expect((await post(restored, ada.token, json(linked(old)))).status).toBe(201)
  expect(await listed(now, 'ada', restored)).toHaveLength(2)
  await ada.send('/settings/delete', { username: 'ada', password })
  // The account is gone at once, and its rows follow.
  await eventually('it is gone', async () => (await query(db, sql`select from joined_projects`)).length === 0)
})

test('the page says how links were read, and lists what is joined', async () => {
  await ada.announced({ message: 'Nothing' })
  await ada.announced({ message: 'Named', project: 'wheel' })
  await ada.announced(linked(old))
  await ada.announced(linked('ci.ada.dev'))
  await joined(old, now)
  const page = await (await ada.get('/settings/projects?done=joined')).text()
  expect(textOf(page, '.notice')).toContain('They are one project.')
  const links = textOf(page, '#links')
  for (const words of [
    'a message alone → no project',
    'wheel → wheel',
    'named by the announcement',
    'github.com/ada/motor/commit/abcdef0 → github.com/ada/engine',
    'joined',
    'the host of the link',
  ])
    expect(links.replace(/\s+/g, ' ')).toContain(words)
  expect(textOf(page, '#joined').replace(/\s+/g, ' ')).toContain(
    'github.com/ada/motor → github.com/ada/engine',
  )
  expect(await statusOf('/settings/projects')).toBe(303)
})
