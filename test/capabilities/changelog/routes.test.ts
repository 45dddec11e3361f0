import { describe, expect, test } from 'bun:test'
import { passMidnight } from '../../support/eventually.ts'
import { makeReadKey, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'
import { elementsOf } from '../../support/xml.ts'

// The days of what is announced here are those that the tests expect.
await passMidnight()
const service = await useService()
const ada = await signUpPoster(service, { username: 'ada', name: 'Ada <& "Co"' })
const url = 'https://github.com/ada/engine/pull/1'
const first = await ada.announced({ message: 'feat: keep `a < b` & c', url, version: 'v1.0.0' })
const second = await ada.announced({
  message: 'fix: crash\n\nIt had **one** reason: https://a.example/1\n\n# Big\n<script>alert(1)</script>',
  url,
  version: 'release "2" <b>',
})
await ada.announced({ message: 'x', url: 'https://blog.example/' })

const project = '/ada/github.com/ada/engine'
const home = `http://shipfeed.test${project}`
const get = async (path: string, init?: RequestInit) => {
  const response = await service.fetch(path, init)
  return { response, status: response.status, headers: response.headers, text: await response.text() }
}

describe('the page of a changelog', () => {
  test('names its other forms and the picture of its project, and links to its anchors and deployments', async () => {
    const { text, headers } = await get(`${project}/changelog`)
    expect(text).toContain('<title>Changelog of ada/engine · Shipfeed</title>')
    for (const [type, href] of [
      ['application/atom+xml', `${project}/changelog.atom`],
      ['text/markdown', `${project}/changelog.md`],
      ['application/json+oembed', `/oembed?url=${encodeURIComponent(`${home}/changelog`)}&amp;format=json`],
    ])
      expect(text).toMatch(
        new RegExp(
          `<link rel="alternate" type="${RegExp.escape(type ?? '')}"[^>]* href="${RegExp.escape(href ?? '')}"`,
        ),
      )
    expect(text).toContain(`content="${home}/card.png"`)
    expect(text).toContain(`<link rel="canonical" href="${home}/changelog"/>`)
    expect(text).toContain('<h2 id="v1.0.0"><a href="#v1.0.0">')
    expect(text).toContain('<h2 id="version-release-2-b"><a href="#version-release-2-b">')
    expect(text).toContain(`<a href="/ada/${first}">Keep <code>a &lt; b</code> &amp; c</a>`)
    expect(text).toContain('It had <strong>one</strong> reason')
    expect(text).not.toContain('<script>alert')
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })

  test('is linked from the page of its project, but not from that of a host with several', async () => {
    expect((await get(project)).text).toContain(`<a href="${project}/changelog">Changelog</a>`)
    expect((await get('/ada/github.com')).text).not.toContain('/changelog')
  })

  test('shows who is signed in, and is then not stored', async () => {
    const { text, headers } = await get(`${project}/changelog`, { headers: { Cookie: ada.cookie } })
    expect(text).toContain('Sign out')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    ['/nobody/github.com/ada/engine/changelog', 404, 'No one here has this username'],
    ['/ada/github.com/changelog', 404, 'has deployed nothing to github.com itself'],
    ['/ada/github.com/ada/other/changelog', 404, 'has deployed nothing to github.com/ada/other itself'],
    [`${project}/changelog?embed=yes`, 400, 'Send “embed=1”'],
    [`${project}/changelog?before=x`, 400, 'is not the id of a deployment'],
    [`${project}/changelog?category=feature`, 400, 'A changelog takes no'],
  ])('%s is %d', async (path, status, says) => {
    const answer = await get(path)
    expect(answer.status).toBe(status)
    expect(answer.text.replaceAll(/&quot;(.*?)&quot;/g, '“$1”')).toContain(says.replaceAll('&quot;', '"'))
  })

  test('of a project that was announced by its name is there, too', async () => {
    await ada.announced({ message: 'feat: pay', project: 'shop/checkout', url })
    const { text } = await get('/ada/-/shop/checkout/changelog')
    expect(text).toContain('<title>Changelog of shop/checkout · Shipfeed</title>')
    expect((await get('/ada/-/shop/checkout')).text).toContain('/ada/-/shop/checkout/changelog')
    const ofIt = `/oembed?url=${encodeURIComponent('http://shipfeed.test/ada/-/shop/checkout/changelog')}`
    expect((await get(ofIt)).status).toBe(200)
  })

  test('of a host is there for what was deployed to it, and a project may be called changelog', async () => {
    expect((await get('/ada/blog.example/changelog')).status).toBe(200)
    await ada.announced({ message: 'y', url: 'https://github.com/ada/changelog' })
    expect((await get('/ada/github.com/ada/changelog')).text).toContain('<h1><bdi dir="ltr">')
    expect((await get('/ada/github.com/ada/changelog/changelog')).text).toContain('<h1>Changelog</h1>')
  })
})

test('as Markdown, no text of a message ends what surrounds it', async () => {
  const { text, headers } = await get(`${project}/changelog.md`)
  expect(text).toBe(`# Changelog

[ada/engine](${home}): What was shipped.

## [release "2" \\<b\\>] - ${new Date().toISOString().slice(0, 10)}

### Fixed

- Crash

  It had **one** reason: https://a.example/1

  #### Big
  &lt;script>alert(1)&lt;/script>

## [v1.0.0] - ${new Date().toISOString().slice(0, 10)}

### Added

- Keep \`a < b\` \\& c

[release "2" \\<b\\>]: ${home}/changelog#version-release-2-b
[v1.0.0]: ${home}/changelog#v1.0.0
`)
  expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  const same = { headers: { 'If-None-Match': headers.get('etag') ?? '' } }
  expect((await get(`${project}/changelog.md`, same)).status).toBe(304)
})

test.each([
  ['# not a heading', '\\# not a heading'],
  ['- not a list', '\\- not a list'],
  ['1. not a list', '1\\. not a list'],
  ['*not* _emphasis_ [link](https://a.example)', '\\*not\\* \\_emphasis\\_ \\[link\\](https://a.example)'],
  ['`` a`b `` stays code', '``a`b`` stays code'],
  ['x\n\n```\n# code\n<b>', 'X\n\n  ```\n  # code\n  <b>\n  ```'],
  ['x\n\nabove\n=====\nbelow', 'X\n\n  above\n  \\=====\n  below'],
  ['x\n\n`<b>` and \\`<b>`', 'X\n\n  `&lt;b>` and \\`&lt;b>`'],
  ['x\n\n`<b>`', 'X\n\n  `<b>`'],
  // Code that began in the line above ends at the first backtick here.
  ['x\n\n`\ny` <b>` z', 'X\n\n  `\n  y` &lt;b>` z'],
  // Neither is a block of code that goes on below.
  ['x\n\n``` a`b\n<b>', 'X\n\n  \\`\\`\\` a`b\n  &lt;b>'],
  ['x\n\n- y\n  ```\n<b>', 'X\n\n  - y\n    \\`\\`\\`\n  &lt;b>'],
  ['x\n\n```\n```js\n```\n<b>', 'X\n\n  ```\n  ```js\n  ```\n  &lt;b>'],
  ['x\n\n[a](javascript:b) [c](https://c.example)', 'X\n\n  [a]\\(javascript:b) [c](https://c.example)'],
  ['x\n\n![a](https://a.example/a.png)', 'X\n\n  !\\[a](https://a.example/a.png)'],
  ['x\n\n[v1]: https://a.example', 'X\n\n  [v1]\\: https://a.example'],
])('as Markdown, %j is %j', async (said, written) => {
  const eve = await signUpPoster(service)
  await eve.announced({ message: `feat: ${said}`, url })
  const { text } = await get(`/${eve.username}/github.com/ada/engine/changelog.md`)
  const [, below = ''] = text.split('### Added\n\n- ')
  expect(below.trim().replace(/^X/, said.startsWith('x') ? 'X' : 'x')).toBe(written)
})

describe('as Atom', () => {
  test('it has an entry for each version, whose content is that of the page', async () => {
    const { text, headers } = await get(`${project}/changelog.atom`)
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const elements = elementsOf(text)
    const texts = (name: string) => elements.filter((one) => one.name === name).map((one) => one.text)
    expect(texts('id')).toEqual([
      `${home}/changelog.atom`,
      `${home}/changelog#version-release-2-b`,
      `${home}/changelog#v1.0.0`,
    ])
    expect(texts('title')).toEqual(['Changelog of ada/engine', 'release "2" <b>', 'v1.0.0'])
    expect(texts('name')).toEqual(['Ada <& "Co"', 'Ada <& "Co"'])
    expect(texts('content')[1]).toBe(
      `<h3 class="feature">Features</h3><ul class="changes"><li><p class="change"><a href="http://shipfeed.test/ada/${first}">Keep <code>a &lt; b</code> &amp; c</a></p></li></ul>`,
    )
  })

  test('one without entries has a day as its time', async () => {
    const eve = await signUpPoster(service)
    await eve.announced({ message: 'chore: x', url })
    const { text } = await get(`/${eve.username}/github.com/ada/engine/changelog.atom`)
    expect(text).toMatch(/<updated>\d{4}-\d\d-\d\dT00:00:00Z<\/updated>/)
  })
})

test('what is withdrawn is gone at once', async () => {
  const eve = await signUpPoster(service)
  const id = await eve.announced({ message: 'feat: gone', url })
  await eve.announced({ message: 'feat: kept', url })
  const path = `/${eve.username}/github.com/ada/engine/changelog`
  expect((await get(path)).text).toContain('Gone')
  await eve.send(`/${eve.username}/${id}/delete`, {}, { 'Sec-Fetch-Site': 'same-origin' })
  const { text } = await get(path)
  expect([text.includes('Gone'), text.includes('Kept')]).toEqual([false, true])
})

describe('in a frame', () => {
  test('it has no navigation, script, form or cookie, whoever asks, and may be framed', async () => {
    const anonymous = await get(`${project}/changelog?embed=1`)
    const { text, headers } = await get(`${project}/changelog?embed=1`, { headers: { Cookie: ada.cookie } })
    expect(text).toBe(anonymous.text)
    expect(text).not.toMatch(/<(script|form|nav|button|input|footer)\b|class="site"/)
    expect(text).toContain('<base target="_blank"/>')
    expect(text).toContain(`<a href="${project}/changelog#v1.0.0">`)
    expect(headers.getSetCookie()).toEqual([])
    expect(headers.get('x-frame-options')).toBeNull()
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors *",
    )
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('vary')).toBe('Accept-Encoding')
  })
})

describe('oEmbed', () => {
  const ask = async (query: Record<string, string>) => {
    const response = await service.fetch(`/oembed?${new URLSearchParams(query)}`)
    return { response, body: (await response.json()) as Record<string, unknown> }
  }
  const of = `${home}/changelog`

  test('gives a frame of the usual size', async () => {
    const { response, body } = await ask({ url: of, format: 'json' })
    expect(body).toEqual({
      version: '1.0',
      type: 'rich',
      title: 'Changelog of ada/engine',
      author_name: 'Ada <& "Co"',
      author_url: 'http://shipfeed.test/ada',
      provider_name: 'Shipfeed',
      provider_url: 'http://shipfeed.test/',
      width: 640,
      height: 640,
      html: `<iframe src="${of}?embed=1" title="Changelog of ada/engine" width="640" height="640" loading="lazy" referrerpolicy="no-referrer" sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"></iframe>`,
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  test.each([
    [{ maxwidth: '639' }, 639, 640],
    [{ maxwidth: '641', maxheight: '641' }, 640, 640],
    [{ maxwidth: '1', maxheight: '1' }, 1, 1],
    [{ maxwidth: '', maxheight: '' }, 640, 640],
  ])('obeys %p', async (size, width, height) => {
    expect((await ask({ url: of, ...size })).body).toMatchObject({ width, height })
  })

  test.each([
    `${home}`,
    `${home}/`,
    `${home}/changelog/`,
    `${home}/changelog?before=5#v1`,
    `https://shipfeed.test${project}`,
    'http://shipfeed.test/ADA/github.com/Ada/Engine/changelog',
    'http://shipfeed.test/ada/blog.example/changelog',
  ])('knows %s', async (url) => {
    const { response, body } = await ask({ url })
    expect([response.status, body.type]).toEqual([200, 'rich'])
  })

  test.each([
    ['not an address', 400],
    ['', 400],
    [`${home}?${'x'.repeat(2_048)}`, 400],
    ['https://example.com/ada/github.com/ada/engine/changelog', 404],
    ['http://shipfeed.test:81/ada/github.com/ada/engine/changelog', 404],
    ['http://shipfeed.test/', 404],
    ['http://shipfeed.test/ada', 404],
    [`http://shipfeed.test/ada/${first}`, 404],
    ['http://shipfeed.test/ada/github.com/ada/nothing/changelog', 404],
    ['http://shipfeed.test/nobody/github.com/ada/engine', 404],
    ['mailto:ada@shipfeed.test', 404],
  ])('refuses %s with %d in JSON', async (url, status) => {
    const { response, body } = await ask({ url })
    expect([response.status, typeof body.message]).toEqual([status, 'string'])
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  test.each([
    [{ format: 'xml' }, 501, 'not_implemented'],
    [{ maxwidth: '0' }, 400, 'bad_request'],
    [{ maxheight: '-1' }, 400, 'bad_request'],
    [{ maxheight: '1e3' }, 400, 'bad_request'],
    [{ user: 'ada' }, 400, 'bad_request'],
  ])('answers %p with %d', async (wrong, status, error) => {
    const { response, body } = await ask({ url: of, ...(wrong as Record<string, string>) })
    expect([response.status, body.error]).toEqual([status, error])
  })

  test('needs an address', async () => {
    const { response, body } = await ask({})
    expect([response.status, body.message]).toEqual([
      400,
      'Send the address of a changelog of this service as "url".',
    ])
  })

  test('below a path, knows only addresses below it', async () => {
    await using below = await startService({ BASE_URL: 'http://shipfeed.test/ship' }, service.db)
    const status = async (url: string) => (await below.fetch(`/oembed?url=${encodeURIComponent(url)}`)).status
    expect(await status(`http://shipfeed.test/ship${project}`)).toBe(200)
    expect(await status(`http://shipfeed.test${project}`)).toBe(404)
    const page = await (await below.fetch(`${project}/changelog?embed=1`)).text()
    expect(page).toContain(`<a href="/ship/ada/${second}">`)
  })
})

describe('for members only', () => {
  test('all forms are closed, and a read key opens those for programs', async () => {
    await using closed = await startService({ VISIBILITY: 'members' }, service.db)
    const member = { headers: { Cookie: ada.cookie } }
    const key = await makeReadKey({
      cookie: ada.cookie,
      get: (path, headers = {}) => closed.fetch(path, { headers }),
      send: (path, fields) =>
        closed.fetch(path, {
          method: 'POST',
          body: new URLSearchParams(fields),
          headers: { ...member.headers, 'Sec-Fetch-Site': 'same-origin' },
        }),
    })
    const oembed = `/oembed?url=${encodeURIComponent(home)}`
    const rows = [
      [`${project}/changelog`, 303, 303],
      [`${project}/changelog?embed=1`, 303, 303],
      [`${project}/changelog.md`, 401, 200],
      [`${project}/changelog.atom`, 401, 200],
      [oembed, 401, 200],
    ] as const
    for (const [path, stranger, reader] of rows) {
      const withKey = `${path}${path.includes('?') ? '&' : '?'}key=${key}`
      const statuses = [path, withKey].map(async (address) => (await closed.fetch(address)).status)
      expect([path, ...(await Promise.all(statuses)), (await closed.fetch(path, member)).status]).toEqual([
        path,
        stranger,
        reader,
        200,
      ])
    }
  })
})
