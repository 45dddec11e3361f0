import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pageSize } from '../../../src/domain/feed/feed.ts'
import { query } from '../../support/database.ts'
import { entriesOf, olderLink, textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
const ada = await signUpPoster(service)
const url = 'https://github.com/ada/engine/pull/1'
const at = (version: string) => `2026-03-0${version.slice(1)}T12:00:00Z`

const imported = await service.fetch('/api/history', {
  method: 'POST',
  headers: { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/json' },
  body: JSON.stringify(
    ['v1', 'v2'].map((version) => ({ message: version, version, url, deployed_at: at(version) })),
  ),
})
expect(imported.status).toBe(200)
for (const message of ['v3', 'v4', 'v5']) {
  const id = await ada.announced({ message, url, environment: 'production' })
  await query(
    service.db,
    sql`update deployments set deployed_at = ${at(message)}::timestamptz where id = ${id}`,
  )
}

const project = `/${ada.username}/github.com/ada/engine`

async function shown(path: string): Promise<string> {
  const response = await service.fetch(path)
  expect([path, response.status]).toEqual([path, 200])
  return (await entriesOf(response)).map(({ message }) => message).join(' ')
}

async function inFeed(path: string): Promise<string> {
  const atom = await (await service.fetch(path)).text()
  const json = (await (await service.fetch(path.replace('.atom', '.json'))).json()) as {
    readonly items: readonly { readonly content_text: string }[]
  }
  const titles = [...atom.matchAll(/<entry>.*?<title>(.*?)<\/title>/gs)].map(([, title]) => title)
  expect(json.items.map(({ content_text }) => content_text)).toEqual(titles as string[])
  return titles.join(' ')
}

/** A range, what it has of the announced ones, and what of history. */
const ranges = [
  [{ from: at('v3') }, 'v5 v4 v3', ''],
  [{ to: at('v3') }, '', 'v2 v1'],
  [{ from: at('v2'), to: at('v5') }, 'v4 v3', 'v2'],
  [{ from: '2026-03-03T12:00:01Z', to: '2026-03-04T12:00:01Z' }, 'v4', ''],
  [{ from: '2026-03-02T13:00:00+01:00', to: '2026-03-02T13:00:01+01:00' }, '', 'v2'],
  [{ from: '2030-01-01T00:00:00Z' }, '', ''],
] as const

describe.each(ranges)('the deployments of %j', (range, announced, history) => {
  const both = [announced, history].filter((part) => part !== '').join(' ')
  const asked = new URLSearchParams(range)

  test('are on the feed, profiles and pages of projects', async () => {
    expect(await shown(`/?${asked}`)).toBe(announced)
    expect(await shown(`/${ada.username}?${asked}`)).toBe(both)
    expect(await shown(`${project}?${asked}`)).toBe(both)
    expect(await shown(`/${ada.username}?env=production&${asked}`)).toBe(announced)
  })

  test('are in feeds for readers, without history', async () => {
    for (const path of ['/feed.atom', `/${ada.username}/feed.atom`, `/${ada.username}/feed.atom`])
      expect(await inFeed(`${path}?${asked}`)).toBe(announced)
    expect(await inFeed(`/feed.atom?q=github.com&${asked}`)).toBe(announced)
  })

  test('are found by a search', async () => {
    for (const q of ['github.com', `@${ada.username}`]) {
      const search = new URLSearchParams({ q, ...range })
      expect(await shown(`/?${search}`)).toBe(both)
      const list = await (await service.fetch(`/api/deployments?${search}`)).json()
      expect(list).toMatchObject({
        deployments: both === '' ? [] : both.split(' ').map((message) => ({ message })),
      })
      const page = await (await service.fetch(`/?${search}`)).text()
      if (both !== '') expect(textOf(page, '#found')).toBe(String(both.split(' ').length))
    }
  })
})

describe('a page of a time', () => {
  const range = `from=${encodeURIComponent(at('v2'))}&to=${encodeURIComponent(at('v5'))}`

  test.each(['/', `/${ada.username}`, project, '/?q=github.com'])(
    '%s says so, and is not live',
    async (path) => {
      const page = await (await service.fetch(`${path}${path.includes('?') ? '&' : '?'}${range}`)).text()
      expect(textOf(page, '.active-target').replace(/\s+/g, ' ')).toContain(
        'Only deployments from 2 March 2026, 12:00 UTC until 5 March 2026, 12:00 UTC. Show any time',
      )
      expect(page).not.toContain('/feed/live')
      expect(page).toContain(`category=feature&amp;${range.replace('&', '&amp;')}`)
    },
  )

  test('links to older ones of that time, and back', async () => {
    const eve = await signUpPoster(service)
    for (let n = 0; n <= pageSize + 1; n += 1) await eve.announced({ message: `n${n}`, url })
    const [first] = await query<{ at: string }>(
      service.db,
      sql`select to_char(min(deployed_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from deployments
        where user_id = (select id from users where username = ${eve.username})`,
    )
    for (const path of ['/', `/${eve.username}`, '/?q=github.com']) {
      const bounded = `${path}${path.includes('?') ? '&' : '?'}from=${first?.at}`
      const newest = await (await service.fetch(bounded)).text()
      const older = olderLink(newest) ?? ''
      expect(older).toContain('from=')
      expect(await shown(older)).toBe('n1 n0')
      const text = await (await service.fetch(older)).text()
      expect(olderLink(text)).toBeNull()
      expect(text).toMatch(/class="newer" href="[^"]*from=/)
    }
  })

  test.each([
    ['from=yesterday', 'The parameter "from" is not a time with its UTC offset'],
    ['to=2026-11-02', 'The parameter "to" is not a time with its UTC offset'],
    ['from=2026-11-02T14:05:00Z&to=2026-11-02T15:05:00%2B01:00', 'has to be before'],
  ])('%s is a 400 that says what to send, wherever it is asked for', async (query, advice) => {
    for (const path of [
      '/',
      '/feed.atom',
      '/feed.json',
      `/${ada.username}`,
      project,
      `/${ada.username}/feed.json`,
      '/?q=x',
    ]) {
      const response = await service.fetch(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      expect([path, response.status]).toEqual([path, 400])
      expect((await response.text()).replaceAll(/&#34;|&quot;|\\"/g, '"')).toContain(advice)
    }
  })

  test('is not a day, too', async () => {
    const response = await service.fetch(`/${ada.username}?on=2026-03-03&${range}`)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('A page shows a day or a time')
  })
})
