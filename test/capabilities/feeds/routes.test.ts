import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { atomOf, jsonFeedOf } from '../../../src/capabilities/feeds/feeds.ts'
import { created } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { inParallel } from '../../support/parallel.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { type Element, elementsOf, messageIn } from '../../support/xml.ts'
import { deployment, site } from '../../views/samples.ts'

const service = await useService()
const poster = await signUpPoster(service, { name: 'Ada <& "Co"' })
const home = `http://shipfeed.test/${poster.username}`

type Item = Readonly<Record<string, unknown>> & { readonly id: string }
type JsonFeed = Readonly<Record<string, unknown>> & { readonly items: readonly Item[] }

async function atom(query = ''): Promise<Element[]> {
  const response = await service.fetch(`/${poster.username}/feed.atom${query}`)
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
  return elementsOf(await response.text())
}

async function jsonFeed(query = ''): Promise<JsonFeed> {
  const response = await service.fetch(`/${poster.username}/feed.json${query}`)
  expect(response.headers.get('content-type')).toBe('application/feed+json; charset=utf-8')
  return (await response.json()) as JsonFeed
}

const textsOf = (elements: readonly Element[], name: string) =>
  elements.filter((element) => element.name === name).map(({ text }) => text)

/** The message in the HTML of an entry, by a strict parser: the text of its first paragraph. */

const linksOf = (elements: readonly Element[], rel: string) =>
  elements
    .filter(({ name, attributes }) => name === 'link' && attributes.rel === rel)
    .map((link) => link.attributes.href)

test('a browser that opens a feed as a page gets a type that it shows', async () => {
  for (const [format, feed, shown] of [
    ['atom', 'application/atom+xml', 'text/xml'],
    ['json', 'application/feed+json', 'application/json'],
  ] as const) {
    for (const path of [`/feed.${format}`, `/${poster.username}/feed.${format}`]) {
      for (const [dest, type] of [
        ['empty', feed],
        ['document', shown],
      ] as const) {
        const { headers } = await service.fetch(path, { headers: { 'Sec-Fetch-Dest': dest } })
        expect([path, dest, headers.get('content-type')]).toEqual([path, dest, `${type}; charset=utf-8`])
        expect(headers.get('vary')).toContain('Sec-Fetch-Dest')
      }
    }
  }
})

describe('a deployment', () => {
  test('in Atom and in JSON Feed is the same as on its page', async () => {
    const message = '\n  \n✨ feat: <b>&amp; "it"\r\nsecond\tline\n'
    const url = 'https://github.com/ada/engine/pull/4?a=1&b="2"'
    const release = { environment: 'eu/west', version: 'v2.4.0 <b>', commit: '9f1c2ab4d5e6f7a8' }
    const told = { ...release, actor: 'Grace <b>', environment_url: 'https://eu.example.com/' }
    const { id, deployed_at: at } = await created(await poster.announce({ message, url, ...told }))
    const html =
      '<p><br/>\n  <br/>\n✨ feat: &lt;b&gt;&amp;amp; &quot;it&quot;<br/>&#13;\nsecond\tline<br/>\n</p>' +
      '<p>eu/west · v2.4.0 &lt;b&gt; · 9f1c2ab4d5e6 · by Grace &lt;b&gt; · <a href="https://eu.example.com/" rel="nofollow ugc noreferrer">https://eu.example.com/</a></p>'
    const link = 'https://github.com/ada/engine/pull/4?a=1&b=%222%22'

    const elements = await atom()
    expect(textsOf(elements, 'id')).toEqual([`${home}/feed.atom`, `${home}/${id}`])
    expect(textsOf(elements, 'title')).toEqual([
      `Ada <& "Co" (@${poster.username}) · Shipfeed`,
      '✨ feat: <b>&amp; "it"',
    ])
    const [content] = elements.filter(({ name }) => name === 'content')
    expect(content).toEqual({ name: 'content', attributes: { type: 'html' }, text: html })
    expect(messageIn(html)).toBe(message)
    expect(textsOf(elements, 'published')).toEqual([String(at)])
    expect(textsOf(elements, 'updated')).toEqual([String(at), String(at)])
    expect(textsOf(elements, 'name')).toEqual(['Ada <& "Co"'])
    expect(textsOf(elements, 'uri')).toEqual([home])
    expect(linksOf(elements, 'alternate')).toEqual([home, `${home}/${id}`])
    expect(linksOf(elements, 'related')).toEqual([link])
    expect(elements.find(({ name }) => name === 'category')?.attributes).toEqual({
      term: 'feature',
      label: 'feature',
    })

    expect(await jsonFeed()).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: `Ada <& "Co" (@${poster.username}) · Shipfeed`,
      home_page_url: home,
      feed_url: `${home}/feed.json`,
      language: 'en',
      items: [
        {
          id: `${home}/${id}`,
          url: `${home}/${id}`,
          external_url: link,
          title: '✨ feat: <b>&amp; "it"',
          content_text: message,
          content_html: html,
          date_published: at,
          authors: [{ name: 'Ada <& "Co"', url: home }],
          tags: ['feature'],
        },
      ],
    })
  })

  test('has the title of its page, without the marks of code', async () => {
    const message = 'Merge pull request #12 from ada/x\n\n:bug: fix: keep `a<b`'
    await created(await poster.announce({ message }))
    expect(textsOf(await atom(), 'title')[1]).toBe('🐛 fix: keep a<b (#12)')
    expect((await jsonFeed()).items[0]?.title).toBe('🐛 fix: keep a<b (#12)')
  })

  test('comes back unchanged whatever its message, but for what XML cannot hold', () => {
    const message = fc.string({ unit: 'binary' }).map((text) => `x${text.replaceAll('\0', '')}`)
    const nasty = fc.oneof(
      message,
      fc.string({
        unit: fc.constantFrom('\r', '\n', '\t', '<', '&', ']]>', '\u0085', '\ufffe', '\u0007', '🎉'),
      }),
    )
    fc.assert(
      fc.property(nasty, (message) => {
        const deployments = [deployment({ message })]
        const addresses = { page: 'http://a/', self: 'http://a/', older: null }
        const channel = { title: message, ...addresses, updated: new Date(0), deployments }
        const elements = elementsOf(atomOf(site, channel))
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is under test.
        const held = (text: string) => text.replace(/[\x01-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '\ufffd')
        const [content = ''] = textsOf(elements, 'content')
        expect(messageIn(content)).toBe(held(message))
        expect(textsOf(elements, 'title')[0]).toBe(held(message))
        const { items } = JSON.parse(jsonFeedOf(site, channel)) as JsonFeed
        expect(items[0]?.content_text).toBe(message)
        expect(held(String(items[0]?.content_html))).toBe(content)
      }),
      { numRuns: 500 },
    )
  })
})

test('pages of both follow each other, and hold each deployment once', async () => {
  await inParallel(Array.from({ length: 101 }), 8, async () =>
    created(await poster.announce({ message: 'Many' })),
  )
  const [fromAtom, fromJson]: [string[], string[]] = [[], []]
  for (let query: string | null = ''; query !== null; ) {
    const elements = await atom(query)
    fromAtom.push(...textsOf(elements, 'id').slice(1))
    const [next] = linksOf(elements, 'next')
    query = next === undefined ? null : new URL(next).search
  }
  for (let query: string | null = ''; query !== null; ) {
    const { items, next_url: next } = await jsonFeed(query)
    fromJson.push(...items.map(({ id }) => id))
    query = typeof next === 'string' ? new URL(next).search : null
  }
  expect(fromAtom.length).toBe(103)
  expect(new Set(fromAtom).size).toBe(103)
  expect(fromJson).toEqual(fromAtom)
})

test('?category= and ?target= choose as on the page, also nothing', async () => {
  const { id } = await created(await poster.announce({ message: 'perf: x', url: 'https://ship.example/a' }))
  for (const query of ['?category=performance_improvement', '?target=ship.example']) {
    expect((await jsonFeed(query)).items.map((item) => item.id)).toEqual([`${home}/${id}`])
  }
  expect(textsOf(await atom('?target=nowhere.example'), 'entry')).toEqual([])
  const everybody = await service.fetch('/feed.json?category=performance_improvement')
  expect(((await everybody.json()) as JsonFeed).items.map((item) => item.id)).toContain(`${home}/${id}`)
  expect((await service.fetch('/feed.atom?target=ship.example')).status).toBe(400)
  expect((await service.fetch('/nobody-at-all/feed.atom')).status).toBe(404)
})

describe('a reader who has it already', () => {
  const paths = [`/${poster.username}/feed.atom`, `/${poster.username}/feed.json`]
  const tagOf = async (path: string) => (await service.fetch(path)).headers.get('etag') ?? ''
  const ask = async (path: string, tag: string) =>
    await service.fetch(path, { headers: { 'If-None-Match': tag, 'Accept-Encoding': 'identity' } })

  test.each(paths)('is answered with 304 until something changes: %s', async (path) => {
    let tag = await tagOf(path)
    const changes = [
      async () => void (await poster.announce({ message: 'New' })),
      async () => {
        const { deployments } = (await (
          await service.fetch(`/api/deployments?user=${poster.username}`)
        ).json()) as {
          deployments: { id: number }[]
        }
        await poster.send(`/${poster.username}/${deployments[0]?.id}/delete`, {})
      },
      async () => void (await poster.send('/settings/profile', { name: `Renamed ${path}` })),
    ]
    for (const change of changes) {
      for (const spelled of [tag, tag.replace('W/', ''), `"other", ${tag}`, '*']) {
        const known = await ask(path, spelled)
        expect([known.status, await known.text()]).toEqual([304, ''])
        expect(known.headers.get('etag')).toBe(tag)
      }
      await change()
      const changed = await ask(path, tag)
      expect(changed.status).toBe(200)
      expect(changed.headers.get('etag')).not.toBe(tag)
      tag = changed.headers.get('etag') ?? ''
    }
  })
})

describe('the link of an entry is a URI, whatever was posted:', () => {
  test.each([
    [
      'https://a.example/<b>{c}|d^`e\\[f]?<g>={h}|`[i]#<j>{k}|#l',
      'a.example/%3Cb%3E%7Bc%7D%7Cd%5E%60e/%5Bf%5D?%3Cg%3E=%7Bh%7D%7C%60%5Bi%5D#%3Cj%3E%7Bk%7D%7C%23l',
    ],
    ['https://ä.example/ö?ü#ß', 'xn--4ca.example/%C3%B6?%C3%BC#%C3%9F'],
    ['https://[::1]:8080/a%2Fb%zz%', '[::1]:8080/a%2Fb%25zz%25'],
    ['HTTPS://A.example', 'a.example/'],
    [
      "https://a.example/~b;c=1,2/'d'(e)!*?f=g/h?i&j=@:+$#k?l/m",
      "a.example/~b;c=1,2/'d'(e)!*?f=g/h?i&j=@:+$#k?l/m",
    ],
  ])('%s', async (url, link) => {
    await created(await poster.announce({ message: 'A link', url }))
    expect(linksOf(await atom(), 'related')[0]).toBe(`https://${link}`)
    expect((await jsonFeed()).items[0]?.external_url).toBe(`https://${link}`)
  })
})

test('an empty feed is as old as the account, and that of everybody as the first account', async () => {
  const newcomer = await signUpPoster(service)
  await query(
    service.db,
    sql`update users set created_at = '2026-03-12T14:03:22Z' where username = ${newcomer.username}`,
  )
  await query(
    service.db,
    sql`update users set created_at = '2026-01-02T03:04:05Z' where id = (select min(id) from users)`,
  )
  const updatedOf = async (path: string) => {
    const elements = elementsOf(await (await service.fetch(path)).text())
    return [textsOf(elements, 'entry').length, ...textsOf(elements, 'updated')]
  }
  expect(await updatedOf(`/${newcomer.username}/feed.atom`)).toEqual([0, '2026-03-12T00:00:00Z'])
  expect(await updatedOf('/feed.atom?q=nothing-has-this-word')).toEqual([0, '2026-01-02T00:00:00Z'])
})

test('pages say where they are, in their head and to people', async () => {
  for (const [page, base, query] of [
    ['/', '', ''],
    [
      `/${poster.username}/ship.example?category=feature`,
      `/${poster.username}`,
      '?category=feature&amp;target=ship.example',
    ],
  ] as const) {
    const html = await (await service.fetch(page)).text()
    for (const name of ['feed.atom', 'feed.json']) {
      const address = `href="${base}/${name}${query}"`
      expect(html.split(address).length - 1).toBeGreaterThanOrEqual(2)
      expect(html).toMatch(new RegExp(`<link rel="alternate"[^>]*${name.replace('.', '\\.')}`))
    }
  }
})

test('an entry says where a deployment went back to, and links what changed', () => {
  const replaced = { id: 1, version: 'v2.4.0', step: 'back' } as const
  const of = { environment: 'production', version: '<v2.3.0>', replaced }
  const addresses = { page: 'http://a/', self: 'http://a/', older: null }
  const channel = {
    title: 'x',
    ...addresses,
    updated: new Date(0),
    deployments: [deployment({ ...of, url: 'https://github.com/ada/engine' })],
  }
  const { items } = JSON.parse(jsonFeedOf(site, channel)) as JsonFeed
  const compare = 'https://github.com/ada/engine/compare/%3Cv2.3.0%3E...v2.4.0'
  expect(items[0]?.content_html).toEndWith(
    `<p>production · &lt;v2.3.0&gt;</p><p>Back to &lt;v2.3.0&gt; · <a href="${compare}">Compare</a></p>`,
  )
  expect(atomOf(site, channel)).toContain('Compare')
})
