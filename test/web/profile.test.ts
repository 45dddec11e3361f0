import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { pageSize } from '../../src/domain/feed/feed.ts'
import { dayOfYearInWords } from '../../src/views/parts/dates.ts'
import { query } from '../support/database.ts'
import { userIdOf } from '../support/deployments.ts'
import { passMidnight } from '../support/eventually.ts'
import { elementsOf, entriesOf, textOf } from '../support/markup.ts'
import type { Poster } from '../support/people.ts'
import { signUp, signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const posts = [
  ['feat: host', 'https://example.com'],
  ['fix: deep', 'https://app.eu.example.com/changelog'],
  ['feat: repo', 'https://www.GitHub.com/navy/Compiler/pull/1'],
  ['fix: longer name', 'https://github.com/navy/compiler-rt/pull/2'],
  ['chore: other', 'https://notexample.com/navy/compiler'],
  ['feat: no link', null],
] as const

const service = await useService()
const grace = await signUpPoster(service, { name: 'Grace Hopper' })
const other = await signUpPoster(service)
await other.announce({ message: 'Not hers', url: 'https://github.com/navy/compiler/1' })
for (const [message, url] of posts) await grace.announce({ message, ...(url === null ? {} : { url }) })

async function messages(query: string): Promise<string[]> {
  const response = await service.fetch(`/${grace.username}${query}`)
  expect(response.status).toBe(200)
  return (await entriesOf(response)).map(({ message }) => message).toReversed()
}

describe('GET /<username>', () => {
  test('shows who it is and what they deployed, and nothing of others', async () => {
    expect(await messages('')).toEqual(posts.map(([message]) => message))
    const page = await (await service.fetch(`/${grace.username}`)).text()
    expect(textOf(page, 'h1')).toBe('Grace Hopper')
    expect(elementsOf(page)).toContainEqual({
      name: 'link',
      attributes: { rel: 'canonical', href: `http://shipfeed.test/${grace.username}` },
    })
    const base = 'http://shipfeed.test'
    expect(textOf(page, 'code')).toContain(
      `[![Last deployment](${base}/badge/${grace.username}.svg?show=age)](${base}/${grace.username})`,
    )
  })

  test('takes the name in any case, and is one page for search engines', async () => {
    const response = await service.fetch(`/${grace.username.toUpperCase()}`)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(
      `<link rel="canonical" href="http://shipfeed.test/${grace.username}"`,
    )
  })

  test('of a user who has not deployed says so', async () => {
    const newcomer = await signUp(service)
    const page = await (await service.fetch(`/${newcomer.username}`)).text()
    expect(textOf(page, 'main')).toContain('No deployments yet')
    expect(textOf(await (await newcomer.get(`/${newcomer.username}`)).text(), 'main')).toContain(
      'in your settings',
    )
  })

  test.each([
    ...['/nobody-of-this-name', '/admin', '/null', '/__proto__', '/-ada', '/a--b', `/${'a'.repeat(40)}`],
    ...['/%C4%B0da', '/ad%E2%84%AA', '/%00', '/ada%20', '/%27%20or%201=1'],
  ])('%s is a page that says 404', async (path) => {
    const response = await service.fetch(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(textOf(await response.text(), 'h1')).toBe('There is nothing here')
  })
})

describe('The overview', () => {
  const page = async ({ username }: Poster, query = '') =>
    await (await service.fetch(`/${username}${query}`)).text()
  const numbers = (markup: string) =>
    [...markup.matchAll(/<dt>([^<]*)<\/dt><dd>([^<]*)<\/dd>/g)].slice(0, 4).map(([, , value]) => value)

  test('counts a streak over weekends without a deployment', async () => {
    await passMidnight()
    const poster = await signUpPoster(service)
    const userId = await userIdOf(service.db, poster)
    await query(
      service.db,
      sql`
        insert into deployments (user_id, message, scopes, deployed_at)
        select ${userId}::bigint, 'A', '{""}', now() - make_interval(days => ago)
        from generate_series(15, 0, -1) ago
        where extract(isodow from (now() - make_interval(days => ago)) at time zone 'UTC') < 6`,
    )
    const [counted] = await query<{ days: number }>(
      service.db,
      sql`
        select count(*)::int as days, count_days(array_agg(user_id), array_agg(deployed_at), 1)
        from deployments where user_id = ${userId}`,
    )
    expect(numbers(await page(poster))[3]).toBe(`${counted?.days} days`)
  })

  test('shows what was announced, but nothing that was withdrawn', async () => {
    await passMidnight()
    const poster = await signUpPoster(service)
    expect(textOf(await page(poster), '.statistics')).toBe('')
    const urls = [
      'https://github.com/ada/engine/pull/1',
      'https://app.example.com/x',
      'https://app.example.com/x?again',
    ]
    const ids: number[] = []
    for (const url of urls) {
      ids.push(await poster.announced({ message: 'A', url }))
    }
    expect(numbers(await page(poster))).toEqual(['3', 'too early to tell', 'under a minute', '1 day'])
    expect(textOf(await page(poster), '#targets a')).toBe('app.example.com/xada/engine')
    expect(textOf(await page(poster), '#year > .hint:not(.legend)')).toBe(
      `3 deployments since ${dayOfYearInWords(new Date())}`,
    )
    expect(await page(poster)).toMatch(/data-counts=",+3"/)

    for (const id of ids.slice(0, 2)) await poster.send(`/${poster.username}/${id}/delete`, {})
    expect(numbers(await page(poster))).toEqual(['1', 'too early to tell', '–', '1 day'])
    expect(textOf(await page(poster), '#targets a')).toBe('app.example.com/x')
    await poster.send(`/${poster.username}/${ids[2]}/delete`, {})
    expect(textOf(await page(poster), '.statistics, .year, #targets a')).toBe('')
  })

  test('is of the user, whatever filter the list has, and is not on older pages', async () => {
    const filtered = await page(grace, '?category=feature')
    expect(numbers(filtered)).toEqual(numbers(await page(grace)))
    expect(textOf(filtered, '#targets a')).toContain('navy/compiler')
    const older = await page(grace, '?before=999999')
    expect(textOf(older, '.statistics, .year, #targets')).toBe('')
    expect(textOf(older, 'h1')).toBe('Grace Hopper')
  })

  test('links to each target, and the link shows its deployments', async () => {
    const links = elementsOf(await page(grace)).flatMap(({ attributes }) => attributes.href ?? [])
    const target = links.find((link) => link.endsWith('/github.com/navy/compiler'))
    expect(await messages(target?.split(grace.username)[1] ?? '')).toEqual(['feat: repo'])
  })
})

test('an older page leads to the page that it follows', async () => {
  const poster = await signUpPoster(service)
  const ids: number[] = []
  const url = 'https://github.com/ada/engine'
  for (let n = 0; n < 2 * pageSize + 1; n++) {
    ids.push(await poster.announced({ message: 'A', url }))
  }
  for (const path of [`/${poster.username}`, `/${poster.username}/github.com/ada/engine`]) {
    const newerThan = async (before: number | undefined) => {
      const page = await (await service.fetch(`${path}?before=${before}`)).text()
      return elementsOf(page).find(({ attributes }) => attributes.class === 'newer')?.attributes.href
    }
    expect(await newerThan(ids[1])).toBe(`${path}?before=${ids[pageSize + 1]}#list`)
    expect(await newerThan(ids[pageSize + 1])).toBe(`${path}#list`)
  }
})

test.each(['?before=x', '?category=x', '?on=2026-02-30', '?year=2026', '?target=%25', '?before=1&before=x'])(
  '%s is 400, not 500',
  async (query) => {
    expect((await service.fetch(`/${grace.username}${query}`)).status).toBe(400)
  },
)
