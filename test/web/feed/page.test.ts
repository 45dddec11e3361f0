import { beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { emptyDatabase, query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import type { Entry } from '../../support/markup.ts'
import { elementsOf, entriesOf, olderLink, textOf } from '../../support/markup.ts'
import { needing } from '../../support/needs/needs.ts'
import type { Poster } from '../../support/people.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

let ada: Poster
const service = await useService()
await emptyDatabase(service.db)
ada = await signUpPoster(service, { name: 'Ada <b>Lovelace</b> 💜' })

async function announce(fields: Record<string, unknown>): Promise<number> {
  return await ada.announced(fields)
}

async function read(path: string, headers: Record<string, string> = {}) {
  const response = await service.fetch(path, { headers })
  expect(response.status).toBe(200)
  const page = await response.clone().text()
  return { page, entries: await entriesOf(response), older: olderLink(page) }
}

/** Without their ages, which may turn over between two requests. */
const inLine = (entries: readonly Entry[]) => entries.map(({ age, ...rest }) => rest)

describe('GET /', () => {
  test('without any deployment says how to announce the first', async () => {
    const { page, entries, older } = await read('/')
    expect([entries, older]).toEqual([[], null])
    expect(textOf(page, 'main')).toContain('No deployments here yet')
    expect(textOf(page, 'main')).toContain('curl http://shipfeed.test/api')
  })

  needing('curl').test.each([
    ['/', null, 'No deployments here yet'],
    ['/?category=feature', 'feature', 'No features yet'],
    ['/?category=bug_fix', 'bug_fix', 'No bug fixes yet'],
    ['/?category=performance_improvement', 'performance_improvement', 'No performance improvements yet'],
    ['/?category=styling_change', 'styling_change', 'No styling changes yet'],
  ])('%s, empty, shows a command that fills it', async (path, category, title) => {
    const { page } = await read(path)
    expect(textOf(page, '.empty h2')).toBe(title)
    const command = textOf(page, '.empty pre code').replace('http://shipfeed.test', service.url)
    const shell = Bun.spawn(['sh', '-c', `${command} -sS`], {
      env: { PATH: process.env.PATH ?? '', SHIPFEED_TOKEN: ada.token },
      stderr: 'inherit',
    })
    const { id, ...record } = (await new Response(shell.stdout).json()) as { id: number; category: string }
    if (category !== null) expect(record.category).toBe(category)
    expect((await read(path)).entries.map((entry) => entry.id)).toEqual([id])
    await ada.send(`/${ada.username}/${id}/delete`, {})
  })

  test('shows name, label, age, text with its lines and emoji, and link; hostile text stays text', async () => {
    const message = '✨ <script>alert(1)</script>\r\n\t👩‍👩‍👧 second "line" & \'more\'\n</bdi></li><!--'
    const id = await announce({
      message,
      url: 'https://example.com/?a="><script>&copy=1',
      category: 'feature',
    })
    const { page, entries } = await read('/')
    expect(entries).toEqual([
      {
        id,
        name: 'Ada <b>Lovelace</b> 💜',
        label: 'feature',
        age: 'just now',
        // The second line is indented, so it is code.
        message: message.replace('\r\n\t', '\n').replace('\n<', ' <'),
        link: 'https://example.com/?a="><script>&copy=1',
      },
    ])
    expect(textOf(page, 'main script, main b')).toBe('')
    expect(elementsOf(page)).toContainEqual({
      name: 'a',
      attributes: { href: `/${ada.username}/${id}` },
    })
  })

  test.each([
    ['bug_fix', 'bug fix'],
    ['feature', 'feature'],
    ['performance_improvement', 'performance improvement'],
    ['styling_change', 'styling change'],
    [null, ''],
  ])('calls the category %p "%s", and ?category= shows it alone', async (category, label) => {
    const fields = category === null ? {} : { category }
    const id = await announce({ message: 'chore: renew the certificates', ...fields })
    expect((await read('/')).entries[0]).toMatchObject({ id, label })
    if (category === null) return
    const { entries } = await read(`/?category=${category}`)
    expect(entries.map((entry) => entry.label)).toEqual(Array(entries.length).fill(label))
    expect(entries[0]?.id).toBe(id)
  })

  test('a stored link that is no URL is text, and takes no page with it', async () => {
    const id = await announce({ message: 'Restored by hand' })
    await query(service.db, sql`update deployments set url = 'http://[' where id = ${id}`)
    for (const path of ['/', `/${ada.username}`, `/${ada.username}/${id}`]) {
      expect((await read(path)).page).toContain('http://[')
    }
    await ada.send(`/${ada.username}/${id}/delete`, {})
  })

  test('an empty ?category= or ?before= is as none', async () => {
    expect(inLine((await read('/?category=&before=')).entries)).toEqual(inLine((await read('/')).entries))
  })

  test.each([
    ...['/?before=0', '/?before=--1', '/?before=01', '/?before=1e3', '/?before=0x10', '/?before=1.5'],
    ...['/?before=9999999999999999999999', '/?before=1%27%20or%201=1', '/?before=%00'],
    ...['/?target=github.com', '/?user=ada'],
    ...['/?category=Feature', '/?category=bug%20fix', '/?category=__proto__', '/?category=constructor'],
    '/?category=%00',
  ])('%s is a page that says 400 and repeats nothing', async (path) => {
    const response = await service.fetch(path)
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const page = await response.text()
    expect(textOf(page, 'h1')).toBe('That request can’t be read')
    expect(page).not.toMatch(/__proto__|or 1=1|1e3|constructor/)
  })
})

describe('Older pages', () => {
  const ids: number[] = []
  beforeAll(async () => {
    await emptyDatabase(service.db)
    ada = await signUpPoster(service)
    for (let n = 0; n < 60; n += 1) {
      ids.unshift(await announce({ message: `${n % 2 === 0 ? 'fix' : 'feat'}: number ${n}` }))
    }
  })

  test('hold 25 each, newest first by id; together they are everything, once, while new ones arrive', async () => {
    const walked: number[][] = []
    for (let path: string | null = '/'; path !== null; ) {
      const { entries, older } = await read(path)
      walked.push(entries.map(({ id }) => id))
      await announce({ message: 'Arrives later' })
      path = older
    }
    expect(walked.map(({ length }) => length)).toEqual([25, 25, 10])
    expect(walked.flat()).toEqual(ids)
  })

  test('keep the category', async () => {
    const { entries, older } = await read('/?category=bug_fix')
    expect(older).toBe(`/?category=bug_fix&before=${entries.at(-1)?.id}`)
    const next = await read(older ?? '')
    expect(next.older).toBeNull()
    expect([...entries, ...next.entries].map(({ id }) => id)).toEqual(ids.filter((_, n) => n % 2 === 1))
  })

  test('are in the order of the ids, also where the clock was set back in between', async () => {
    const newest = await announce({ message: 'After the clock was set back' })
    await query(
      service.db,
      sql`update deployments set deployed_at = now() - interval '1 hour' where id = ${newest}`,
    )
    expect((await read('/')).entries[0]?.id).toBe(newest)
    expect((await read(`/${ada.username}`)).entries[0]?.id).toBe(newest)
  })

  test('before the first deployment are empty, and before a far id are the newest', async () => {
    expect((await read(`/?before=${ids.at(-1)}`)).entries).toEqual([])
    expect((await read('/?before=999999999999999')).entries).toHaveLength(25)
  })

  test('come as a part for htmx, which holds the list and the next link and nothing else', async () => {
    const whole = await read(`/?before=${ids[24]}`)
    const part = await read(`/?before=${ids[24]}`, { 'HX-Request': 'true' })
    const ofPages = ['html', 'head', 'body', 'main', 'link', 'title']
    expect(elementsOf(part.page).filter(({ name }) => ofPages.includes(name))).toEqual([])
    expect(inLine(part.entries)).toEqual(inLine(whole.entries))
    expect(part.older).toBe(whole.older)
    expect(part.older).toBe(`/?before=${whole.entries.at(-1)?.id}`)
  })

  test('the newest page is whole for htmx too, and caches tell the two apart', async () => {
    const response = await service.fetch('/', { headers: { 'HX-Request': 'true' } })
    expect(response.headers.get('vary')).toContain('HX-Request')
    expect(await response.text()).toStartWith('<!doctype html>')
  })
})

test('an older page leads to the one that it follows, and the second to the newest', async () => {
  const ids: number[] = []
  for (let count = 0; count < 60; count += 1) ids.push(await announce({ message: `feat: ${count}` }))
  const newest = ids.toReversed()
  const newerOf = async (before: number | undefined) =>
    elementsOf((await read(`/?category=feature&before=${before}`)).page).find(
      ({ attributes }) => attributes.class === 'newer',
    )?.attributes.href
  expect(await newerOf(newest[49])).toBe(`/?category=feature&before=${newest[24]}`)
  expect(await newerOf(newest[25])).toBe(`/?category=feature&before=${newest[0]}`)
  expect(await newerOf(newest[24])).toBe('/?category=feature')
  expect((await read(`/?category=feature&before=${newest[24]}`)).entries.map(({ id }) => id)).toEqual(
    newest.slice(25, 50),
  )
})

test('a page is public without a session, and not stored with one', async () => {
  expect((await service.fetch('/')).headers.get('cache-control')).toBe('no-cache')
  const own = await ada.get('/')
  expect(own.headers.get('cache-control')).toBe('no-store')
  expect(textOf(await own.text(), '.account')).toContain('Sign out')
})

describe('the first screen', () => {
  const lede =
    'What people ship, the moment they ship it. Announce yours with one HTTP request, and show how fresh they are with a badge.'

  test('says what this is to readers who are not signed in, and on no older page', async () => {
    expect(textOf((await read('/')).page, 'main')).toContain(lede)
    expect(textOf((await read('/', { Cookie: ada.cookie })).page, 'main')).not.toContain(lede)
    expect(textOf((await read('/?before=999999')).page, 'main')).not.toContain(lede)
  })

  test('counts the last 24 hours of everything, and nothing of a filtered list', async () => {
    await announce({ message: 'fix: counted' })
    const counted = async () => /"([\d,]+) deployments? by hour/.exec((await read('/')).page)?.[1] ?? '0'
    await eventually('it is counted', async () => (await counted()) !== '0')
    expect((await read('/?category=bug_fix')).page).not.toContain('by hour')
  })
})
