import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test'
import { emptyDatabase } from '../../support/database.ts'
import { valueIn } from '../../support/forms.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { textOf } from '../../support/markup.ts'
import { type Poster, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()
let ada: Poster
let grace: Poster

beforeAll(async () => {
  // Hits of all posters are counted.
  await emptyDatabase(service.db)
  ada = await signUpPoster(service)
  grace = await signUpPoster(service)
  const link = 'https://github.com/ada/engine/pull/412'
  await ada.announce({ message: 'fix: Cache <b>bold</b> & more', url: link })
  await ada.announce({ message: 'fix: nothing\n\nA\nB\nC\nD\nE\nthe hidden cache' })
  await grace.announce({ message: '✨ Cached pages', url: 'https://ada.dev/' })
})

async function search(q: string, rest = ''): Promise<{ text: string; html: string }> {
  const answer = await service.fetch(`/?q=${encodeURIComponent(q)}${rest}`)
  expect(answer.status).toBe(200)
  const html = await answer.text()
  return { html, text: textOf(html, '.reading, .nothing-found').replace(/\s+/g, ' ') }
}

describe('A search', () => {
  test.each([
    ['words', 'cache', '', '3 deployments with “cache”'],
    ['a category, too', 'cache', '&category=bug_fix', '2 bug fixes with “cache”'],
    ['a host', 'cache github.com', '', '1 deployment to github.com with “cache”'],
    [
      'a pasted link',
      'https://github.com/ada/engine/commit/abc',
      '',
      '1 deployment to github.com/ada/engine',
    ],
    ['a number of a link', '#412', '', '1 deployment with “#412”'],
    ['a phrase and a category', '"nothing A b" category:bug_fix', '', '1 bug fix with “nothing A b”'],
    ['what is left out', 'cache -bold', '', '2 deployments with “cache” without “bold”'],
    ['an environment', 'env:EU/Staging cache', '', 'No deployments in eu/staging match “cache”'],
  ])('for %s says what it has understood', async (_, q, rest, said) => {
    expect((await search(q, rest)).text).toContain(said)
  })

  test('for a user finds theirs alone', async () => {
    expect((await search(`@${grace.username} cache`)).text).toContain(
      `1 deployment by @${grace.username} with “cache”`,
    )
  })

  test('marks what it has found, and markup stays text', async () => {
    const { html } = await search('cache bold amp')
    expect(html).not.toContain('<b>bold')
    const found = await search('cache bold')
    expect(found.html).toContain('<mark>Cache</mark> &lt;b&gt;<mark>bold</mark>&lt;/b&gt; &amp; more')
  })

  test('opens a message where only its folded part has what was found', async () => {
    expect((await search('hidden')).html).toContain('<details open>')
    expect((await search('nothing')).html).not.toContain('<details open>')
  })

  test.each([
    ['words', 'unheard', '', 'No deployments match “unheard”. Clear'],
    [
      'a category',
      'cached',
      '&category=styling_change',
      'No styling changes match “cached”. Search all categories',
    ],
    ['an unknown user', '@nobody-here cache', '', 'There is no @nobody-here here. Clear'],
  ])('that finds nothing for %s says so, and offers a way on', async (_, q, rest, said) => {
    expect((await search(q, rest)).text).toContain(said)
  })

  test('keeps its text in every category and in its feeds, and is not for search engines', async () => {
    const { html } = await search('cache')
    expect(html).toContain('href="/?q=cache&amp;category=feature"')
    expect(html).toContain('href="/feed.atom?q=cache"')
    expect(html).toContain('<meta name="robots" content="noindex"')
    expect((await search('cache', '&category=feature')).html).toContain('name="category" value="feature"')
  })

  test.each([
    ['too long', 'a'.repeat(501), 'at most 500 characters'],
    ['of too many words', Array.from({ length: 13 }, (_, n) => `w${n}`).join(' '), 'at most 12 words'],
    ['of two users', '@ada @grace', 'one @user'],
    ['of no category', 'category:bug', 'category:bug_fix'],
    ['of no environment', 'env:', 'env:production'],
    ['without a user', 'cache -@ada', 'Only words'],
    ['of nothing', '!?', 'nothing to search for'],
  ])('%s is refused', async (_, q, said) => {
    const answer = await service.fetch(`/api/deployments?q=${encodeURIComponent(q)}`)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain(said)
  })
})

test('a page for a search that cannot be read keeps it in a field, and other error pages have none', async () => {
  const refused = await service.fetch('/?q=-only+-%22%3Cb%3E')
  expect(refused.status).toBe(400)
  expect(await refused.text()).toContain(
    'name="q" value="-only -&quot;&lt;b&gt;" aria-label="Search deployments"',
  )
  const other = await service.fetch('/ada?q=x')
  expect([other.status, (await other.text()).includes('name="q"')]).toEqual([400, false])
})

test('a category in the search is that of the page, and its links leave it out', async () => {
  const { html, text } = await search('cache category:bug_fix')
  expect(text).toContain('2 bug fixes with “cache”')
  expect(html).toMatch(/class="pill bug_fix" href="\/\?q=cache&amp;category=bug_fix" aria-current="true"/)
  expect(html).toContain('value="cache category:bug_fix"')
  expect(html).not.toContain('type="hidden" name="category"')
  expect((await search('cache category:bug_fix', '&category=bug_fix')).text).toBe(text)
  const other = await service.fetch('/?q=cache+category:bug_fix&category=feature')
  expect(other.status).toBe(400)
})

test('of a list of one environment stays in it', async () => {
  const page = await (await service.fetch('/?env=EU/Staging')).text()
  expect(valueIn(page, 'q')).toBe('env:eu/staging ')
  expect((await search('env:eu/staging cache')).text).toContain('No deployments in eu/staging match “cache”')
  expect(valueIn(await (await service.fetch('/')).text(), 'q')).toBe('')
})

describe('Suggestions', () => {
  const suggested = async (q: string) =>
    textOf((await search(q)).html, '.suggestions li')
      .replace(/^Go to/, '')
      .trim()

  test('are people whose username begins with the user or the last word of the search', async () => {
    await signUp(service, { username: 'mary-shaw', name: 'Mary Shaw' })
    for (const q of ['mary', 'cache MARY', '@mary', '@mary-', 'cache mary-s']) {
      expect(await suggested(q)).toBe('Mary Shaw')
    }
    for (const q of ['mary cache', '@mary-shaw', 'ary']) expect(await suggested(q)).toBe('')
  })

  test('are offered in place of a user who is not here', async () => {
    await signUp(service, { username: 'yusuke', name: 'Yusuke' })
    expect(await suggested('@yu')).toBe('Yusuke')
    expect((await search('@yu')).text).toBe('Whom do you mean by @yu? Clear')
  })

  test('are at most five people', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await signUp(service, { username: `zoe-${name}`, name })
    expect(await suggested('zoe')).toBe('abcde')
  })

  test('are projects that the search names, of those that it finds', async () => {
    expect(await suggested('engine')).toBe('ada/engine')
    expect(await suggested('cache github.com/ada/engine')).toBe('')
    expect(await suggested('hidden')).toBe('')
  })
})

describe('The same question finds the same on the page, through the API, in feeds and on streams:', () => {
  const messages = ['fix: hot stash', 'fix: stash is hot', 'Draft of a hot stash', 'fix: hot stashes']
  const environments = ['EU/Staging', 'production', 'eu/staging', undefined]
  let ids: readonly number[]

  beforeAll(async () => {
    const made: number[] = []
    for (const [n, message] of messages.entries()) {
      made.push(await grace.announced({ message, environment: environments[n], url: 'https://same.dev/' }))
    }
    ids = made
  })

  test.each([
    ['same.dev hot', [0, 1, 2, 3]],
    ['same.dev "hot stash"', [0, 2]],
    ['same.dev "stash"', [0, 1, 2]],
    ['same.dev stash -draft', [0, 1, 3]],
    ['same.dev stash -"hot stash"', [1, 3]],
    ['same.dev env:eu/staging', [0, 2]],
    ['same.dev env:EU/STAGING -draft', [0]],
    ['same.dev category:bug_fix env:production', [1]],
    ['same.dev env:eu', []],
  ])('%s', async (q, places) => {
    const expected = places.map((n) => ids[n] ?? 0)
    const query = `q=${encodeURIComponent(q)}`
    const text = async (path: string) => await (await service.fetch(path)).text()
    const all = (found: string, pattern: RegExp) =>
      [...found.matchAll(pattern)].map(([, id]) => Number(id)).toSorted((a, b) => a - b)
    expect(all(await text(`/?${query}`), /id="deployment-(\d+)"/g)).toEqual(expected)
    expect(all(await text(`/api/deployments?${query}`), /"id":(\d+),"message"/g)).toEqual(expected)
    expect(all(await text(`/feed.atom?${query}`), /<id>[^<]*\/(\d+)<\/id>/g)).toEqual(expected)
    const missed = await service.fetch(`/feed/live?${query}&after=${(ids[0] ?? 0) - 1}`, {
      headers: { Accept: 'text/html' },
    })
    expect(all(await missed.text(), /id="deployment-(\d+)"/g)).toEqual(expected)
  })

  test('and on a stream of the API', async () => {
    const query = new URLSearchParams({ q: 'same.dev "hot stash" -draft', after: String((ids[0] ?? 0) - 1) })
    const source = await openEventSource(service, `/api/deployments/live?${query}`)
    await grace.announced({ message: 'draft: hot stash', url: 'https://same.dev/' })
    const last = await grace.announced({ message: 'the last hot stash', url: 'https://same.dev/' })
    await source.find(({ id }) => id === String(last))
    source.close()
    const sent = source.messages.filter(({ event }) => event === 'deployment').map(({ id }) => Number(id))
    expect(sent).toEqual([ids[0] ?? 0, last])
  })
})

describe('Programs', () => {
  test('find the same, page by page', async () => {
    const messages: string[] = []
    for (let path: string | null = '/api/deployments?q=cache&limit=1'; path !== null; ) {
      const page = (await (await service.fetch(path)).json()) as {
        deployments: { message: string }[]
        older: string | null
      }
      messages.push(...page.deployments.map(({ message }) => message.slice(0, 6)))
      path = page.older === null ? null : new URL(page.older).pathname + new URL(page.older).search
    }
    expect(messages).toEqual(['✨ Cach', 'fix: n', 'fix: C'].map((text) => text.slice(0, 6)))
  })

  test('read it as a feed', async () => {
    const atom = await (await service.fetch('/feed.atom?q=cached')).text()
    expect(atom.match(/<entry>/g)).toHaveLength(1)
    expect(atom).toContain('/feed.atom?q=cached')
    const json = (await (await service.fetch('/feed.json?q=hidden')).json()) as { items: unknown[] }
    expect(json.items).toHaveLength(1)
  })

  test.each(['user=ada', 'target=ada.dev', 'env=production'])(
    'cannot have a search with ?%s',
    async (other) => {
      expect((await service.fetch(`/api/deployments?q=cache&${other}`)).status).toBe(400)
    },
  )
})

test('a stream of a search follows what is found, and nothing else', async () => {
  const ended = new AbortController()
  const stream = await service.fetch('/feed/live?q=cache', {
    headers: { Accept: 'text/event-stream' },
    signal: ended.signal,
  })
  await ada.announce({ message: 'unrelated' })
  await ada.announce({ message: 'One more cache' })
  let seen = ''
  for await (const chunk of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    seen += chunk
    if (seen.includes('One more')) break
  }
  ended.abort()
  expect(seen).toContain('One more <mark>cache</mark>')
  expect(seen).not.toContain('unrelated')
})

test('a reader who returns to a search gets what was announced since', async () => {
  const list = (await (await service.fetch('/api/deployments?limit=1')).json()) as {
    deployments: { id: number }[]
  }
  await ada.announce({ message: 'unrelated again' })
  await ada.announce({ message: 'cache again' })
  const polled = await service.fetch(`/feed/live?q=cache&after=${list.deployments[0]?.id}`, {
    headers: { Accept: 'text/html' },
  })
  const html = await polled.text()
  expect(html).toContain('<mark>cache</mark> again')
  expect(html).not.toContain('unrelated')
})

test('a search of somebody who is not there tells the time by the database, whatever the clock of the process says', async () => {
  const before = Date.now()
  setSystemTime(before + 24 * 60 * 60 * 1_000)
  try {
    const [, now = ''] = /data-now="([^"]+)"/.exec((await search('@nobody-here')).html) ?? []
    expect(Math.abs(Date.parse(now) - before)).toBeLessThan(60 * 60 * 1_000)
  } finally {
    setSystemTime()
  }
})
