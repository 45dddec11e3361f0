import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { indexWords } from '../../../src/capabilities/search/indexing.ts'
import { tables } from '../../../src/table-uses.ts'
import { addImport, release } from '../../support/api.ts'
import { emptyDatabase, openTestDatabase, query } from '../../support/database.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { textOf } from '../../support/markup.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()
const db = service.db

let ada: Poster
/** 60 releases, one a month up to the end of 2023, and then two announcements. */
beforeAll(async () => {
  await emptyDatabase(db)
  ada = await signUpPoster(service)
  const months = Array.from({ length: 60 }, (_, n) => new Date(Date.UTC(2019, n, 15, 12)))
  const items = months.map((at, n) =>
    release(n, at.toJSON(), n === 7 ? { message: 'fix: the zeppelin', environment: 'production' } : {}),
  )
  await addImport(service, ada, items.toReversed())
  await ada.announced({ message: 'First live', url: 'https://github.com/ada/engine/pull/1' })
  await ada.announced({ message: 'Second live' })
})

async function html(path: string): Promise<string> {
  const response = await service.fetch(path)
  expect(response.status).toBe(200)
  return await response.text()
}

const headings = (page: string) =>
  Array.from(page.matchAll(/id="s-?\d+">\s*<a href="([^"]*)">/g), ([, to = '']) => to)

async function idOf(message: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    db,
    sql`select id::float8 as id from deployments where message = ${message}`,
  )
  return row?.id ?? 0
}

describe('On the pages of its user, history', () => {
  test('follows what was announced, page by page, and says that it is history', async () => {
    const seen: string[] = []
    for (let path: string | undefined = `/${ada.username}`; path !== undefined; ) {
      const page: string = await html(path)
      seen.push(...headings(page))
      path = /href="([^"#]*before=-?\d+)[^"]*"[^>]*>\s*Older/.exec(page)?.[1]?.replaceAll('&amp;', '&')
    }
    expect(seen).toHaveLength(62)
    const ids = seen.map((address) => Number(address.split('/').at(-1)))
    expect(ids).toEqual(ids.toSorted((a, b) => b - a))
    const page = await html(`/${ada.username}`)
    expect(page.match(/from history/g)).toHaveLength(23)
    expect(page).toContain('first deployment in January 2019')
    expect(textOf(page, '.statistics')).toContain('1 day')
  })

  test('is on the page of its project, whose badge it counts for', async () => {
    const grace = await signUpPoster(service)
    await addImport(service, grace, [release(1, '2024-01-01T00:00:00Z')])
    const page = await html(`/${grace.username}/github.com/ada/engine`)
    expect(headings(page)).toHaveLength(1)
    const badge = await service.fetch(`/badge/${grace.username}.json?url=github.com/ada/engine`)
    expect(await badge.json()).toMatchObject({ message: 'Stale' })
    const elsewhere = await service.fetch(`/badge/${grace.username}.json?env=production`)
    expect(await elsewhere.json()).toMatchObject({ message: 'Inactive' })
    const there = await service.fetch(`/badge/${ada.username}.json?env=production`)
    expect(await there.json()).toMatchObject({ message: 'Stale' })
    // A streak counts announcements alone.
    expect(textOf(await html(`/${grace.username}`), '.statistics')).toContain('0 days')
  })

  test('is found by its day, also on the day of the first announcement', async () => {
    expect(headings(await html(`/${ada.username}?on=2020-02-15`))).toHaveLength(1)
    expect(headings(await html(`/${ada.username}?on=2020-02-16`))).toEqual([])
    expect(headings(await html(`/${ada.username}/github.com/ada/engine?on=2020-02-15`))).toHaveLength(1)
    const grace = await signUpPoster(service)
    const soon = new Date(Date.now() - 1_000)
    await addImport(service, grace, [release(1, soon.toJSON()), release(2, '2020-02-15T00:00:00Z')])
    await grace.announced({ message: 'Live' })
    const today = soon.toJSON().slice(0, 10)
    const onDay = headings(await html(`/${grace.username}?on=${today}`))
    expect(onDay.length).toBe(new Date().toJSON().startsWith(today) ? 2 : 1)
    expect(headings(await html(`/${grace.username}?on=2020-02-15`))).toHaveLength(1)
  })

  test('has permanent pages with neighbours and pictures', async () => {
    const id = await idOf('fix: the zeppelin')
    expect(id).toBeLessThan(0)
    const page = await html(`/${ada.username}/${id}`)
    expect(page).toContain('the zeppelin')
    expect(page).toContain('from history')
    expect(page).toContain(`/${ada.username}/${await idOf('Release 6')}`)
    expect(page).toContain(`/${ada.username}/${await idOf('Release 8')}`)
    const last = await html(`/${ada.username}/${await idOf('Release 59')}`)
    expect(last).toContain(`/${ada.username}/${await idOf('First live')}`)
    const card = await service.fetch(`/${ada.username}/${id}/card.png`)
    expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png'])
    for (const wrong of [`${id - 1}`, '-0', '-01', '--1']) {
      expect((await service.fetch(`/${ada.username}/${wrong}`)).status).toBe(404)
    }
  })
})

describe('A search', () => {
  const search = async (path: string) =>
    ((await (await service.fetch(path)).json()) as { deployments: { message: string }[] }).deployments

  test('finds history, before and after the index is made', async () => {
    for (const round of [1, 2]) {
      expect(await search('/api/deployments?q=zeppelin'), `${round}`).toHaveLength(1)
      expect(await search(`/api/deployments?q=@${ada.username}%20zeppel`)).toHaveLength(1)
      expect(await search('/api/deployments?q=zeppelin&category=bug_fix')).toHaveLength(1)
      expect(await search('/api/deployments?q=zeppelin&category=feature')).toEqual([])
      expect(await search('/api/deployments?q=github.com/ada/engine%20v7')).toHaveLength(1)
      expect(await html('/?q=zeppelin')).toContain('<mark>zeppelin</mark>')
      await indexWords(db)
    }
  })

  test('goes on from page to page through all of it', async () => {
    const seen: string[] = []
    for (let path: string | null = `/api/deployments?q=@${ada.username}%20release&limit=7`; path !== null; ) {
      const response: Response = await service.fetch(path)
      const page = (await response.json()) as { deployments: { message: string }[]; older: string | null }
      seen.push(...page.deployments.map(({ message }) => message))
      path = page.older?.replace('http://shipfeed.test', '') ?? null
    }
    const released = Array.from({ length: 60 }, (_, n) => `Release ${59 - n}`)
    // Its title is another, and its link is to a release.
    expect(seen.filter((message) => message !== 'fix: the zeppelin')).toEqual(
      released.filter((message) => message !== 'Release 7'),
    )
  })
})

test('Those who follow, read the feed or look at a wall see none of it, neither added nor removed', async () => {
  const grace = await signUpPoster(service)
  const streams = await Promise.all(
    [
      '/api/deployments/live',
      `/api/deployments/live?user=${grace.username}&after=0`,
      '/feed/live?after=0',
    ].map((path) => openEventSource(service, path)),
  )
  const at = new Date(Date.now() - 60_000).toJSON()
  await addImport(service, grace, [release(1, at, { message: 'Quiet one' }), release(2, at)])
  const [row] = await query<{ id: number }>(
    db,
    sql`select id::float8 as id from deployments where message = 'Quiet one'`,
  )
  const withdrawn = await grace.send(`/${grace.username}/${row?.id}/delete`, {})
  expect(withdrawn.status).toBe(303)
  await service.fetch('/api/history', {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${grace.token}` },
  })
  await addImport(service, grace, [release(3, at, { message: 'Quiet three' })])
  const live = await grace.announced({ message: 'A loud one' })
  for (const stream of streams) {
    await stream.find(({ data }) => data?.includes('A loud one') === true)
    expect(stream.raw()).not.toContain('Quiet')
    expect(stream.raw()).not.toContain('from history')
    expect(stream.messages.filter(({ data }) => data?.startsWith('{"id":-') === true)).toEqual([])
    stream.close()
  }
  for (const path of [
    '/',
    `/?before=${live}`,
    '/?before=-1',
    '/api/deployments?limit=100',
    '/feed.atom',
    '/feed.json?q=quiet',
    `/${grace.username}/feed.atom`,
    `/${grace.username}/feed.json`,
    `/${grace.username}/feed.json?before=-1`,
    '/wall',
    `/wall?user=${grace.username}`,
  ]) {
    const body = await html(path)
    expect(body).not.toContain('Quiet')
    expect(body).not.toContain('from history')
  }
  expect(await html('/?q=quiet')).toContain('Quiet')
})

test('The rate of announcements does not count it, even withdrawn', async () => {
  await using limited = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
  const grace = await signUpPoster(limited)
  const now = new Date(Date.now() - 1_000).toJSON()
  await addImport(limited, grace, [release(1, now), release(2, now), release(3, now)])
  const [row] = await query<{ id: number }>(
    db,
    sql`
      select min(d.id)::float8 as id from deployments d join users u on u.id = user_id
      where username = ${grace.username}`,
  )
  expect((await grace.send(`/${grace.username}/${row?.id}/delete`, {})).status).toBe(303)
  expect((await grace.announce({ message: 'Live' })).status).toBe(201)
  expect((await grace.announce({ message: 'Live' })).status).toBe(429)
})

describe('The settings', () => {
  test('say how much history there is, and remove it', async () => {
    const grace = await signUpPoster(service)
    await addImport(service, grace, [release(1, '2020-01-01T00:00:00Z'), release(2, '2020-01-01T00:00:00Z')])
    const panel = async (path: string) => textOf(await (await grace.get(path)).text(), '#history')
    expect(await panel('/settings')).toContain('2 deployments.')
    const removed = await grace.send('/settings/history/delete', {})
    expect(removed.headers.get('location')).toBe('/settings?done=history')
    expect(await panel('/settings?done=history')).toContain('Your history is removed.')
    expect(headings(await html(`/${grace.username}`))).toEqual([])
  })

  test('keep showing a newcomer the way to the first announcement, and the export has history', async () => {
    const grace = await signUpPoster(service)
    await addImport(service, grace, [release(1, '2020-01-01T00:00:00Z')])
    expect(await (await grace.get('/settings')).text()).toContain('Waiting for your first deployment')
    const exported = await (await grace.get('/settings/export')).json()
    expect(exported).toMatchObject({
      deployments: [{ message: 'Release 1', deployed_at: '2020-01-01T00:00:00Z', imported: true }],
      history_days: [{ added: 1 }],
    })
  })
})

test('A dump holds it, and a restored database goes on as before', async () => {
  await using restored = await opened(openTestDatabase())
  await restoreDump(restored.db, tables, streamOf(await dumpOf(db)))
  await using copy = await startService({}, restored.db)
  const list = async (at: typeof copy) =>
    (await at.fetch(`/api/deployments?user=${ada.username}&limit=100`)).json()
  expect(await list(copy)).toEqual(await list(service))
  const again = await addImport(copy, ada, [release(3, '2019-04-15T12:00:00Z')])
  expect(again).toEqual({ added: 0, known: 1, refused: [] })
  const page = await copy.fetch(`/${ada.username}/github.com/ada/engine`)
  expect(await page.text()).toContain('January 2019')
})
