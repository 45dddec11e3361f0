import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import { lookOfFound } from '../../../src/capabilities/search/marks.ts'
import type { Deployment } from '../../../src/domain/deployment.ts'
import { DeploymentEntry, type EntryLook } from '../../../src/views/deployment/entry.tsx'
import { DeploymentList } from '../../../src/views/feed/list.tsx'
import { elementsOf, lettersIn, lettersListed, listedIn, textOf } from '../../support/markup.ts'
import { ada, deployment, now } from '../samples.ts'

const markupLike = fc.constantFrom(
  ...['<script>', '</bdi>', '</li>', '<!--', ']]>', '"', "'", '&', '&lt;', '\u202e', '\n'],
)
const hostileText = fc
  .array(fc.oneof(markupLike, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''))

const markdownLike = fc.constantFrom(
  ...[
    '*',
    '**',
    '_',
    '`',
    '``',
    '\n```\n',
    '~~~',
    '\n',
    '\n\n',
    '  \n',
    '\n    ',
    '\t',
    '- ',
    '\n- ',
    '\n1. ',
    '\n> ',
  ],
  ...[
    '\n## ',
    '\n---\n',
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '[a](https://b.example/c)',
    '](javascript:a)',
    '\n[a]: b',
  ],
  ...['https://a.example/b?c=1&d=2', '<https://a.example>', 'www.a.example', '\\', '|', '\ufffe', 'a', 'b c'],
)
const hostileMarkdown = fc
  .array(fc.oneof({ weight: 5, arbitrary: markdownLike }, markupLike), { maxLength: 60 })
  .map((parts) => parts.join(''))

describe('an entry', () => {
  test('shows any message and name as text', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (message, name) => {
        const entry = (
          <DeploymentEntry deployment={deployment({ message, poster: { ...ada, name } })} now={now} />
        )
        const names = elementsOf(entry).map(({ name }) => name)
        expect(names.filter((name) => !ours.test(name))).toEqual([])
        expect(names.filter((name) => /^(?:article|h3)$/.test(name))).toEqual(['article', 'h3'])
        expect(lettersIn(listedIn(entry))).toBe(lettersListed(message))
        expect(textOf(entry, '.meta > .quiet')).toBe(name)
      }),
    )
  })

  test('draws any Markdown with elements of ours, each closed, and links that lead to pages', () => {
    fc.assert(
      fc.property(hostileMarkdown, (message) => {
        const body = bodyOf(`x\n${message}`)
        const left = body.replace(drawn, '')
        expect([left.match(/[<>"]/g), openIn(body)]).toEqual([null, []])
      }),
      // With the 2,100 real messages, which have tests of their own, these are 3,500.
      { numRuns: 1_400 },
    )
  })

  test('links to exactly the posted address', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(postedLink(`${url}&lt;`)?.href).toBe(`${url}&lt;`)
      }),
    )
  })

  test('a quote in the posted address does not end its attribute', () => {
    expect(postedLink('https://x.example/"onmouseover="alert(1)')).toEqual({
      class: 'reference',
      href: 'https://x.example/"onmouseover="alert(1)',
      rel: 'nofollow ugc',
    })
  })

  test.each([
    ['https://github.com/Ada/Engine/pull/412', 'ada/engine', '/ada/github.com/ada/engine', '#412'],
    ['https://app.example:8443/Log?a=1', 'app.example', '/ada/app.example', 'Link to app.example:8443'],
    ['https://gіthub.com/ada', 'xn--gthub-n2e.com', '/ada/xn--gthub-n2e.com', 'Link to xn--gthub-n2e.com'],
    ['https://例え.jp/リ', '例え.jp', '/ada/xn--r8jz45g.jp', 'Link to 例え.jp'],
    ['https://github.com/ü/リ', 'ü/リ', '/ada/github.com/%c3%bc/%e3%83%aa', 'Link to github.com'],
    ['https://github.com/a/b%E2%80%AE', 'a/b%E2%80%AE', '/ada/github.com/a/b%e2%80%ae', 'Link to github.com'],
  ])('with the link %s names its project and its reference', (url, project, address, name) => {
    const entry = <DeploymentEntry deployment={deployment({ url })} now={now} />
    expect(textOf(entry, '.project')).toBe(project)
    // A short name is never cut, for which a list of one line has room.
    const look = project.length <= 9 ? 'project short' : 'project'
    expect(elementsOf(entry)).toContainEqual({ name: 'a', attributes: { class: look, href: address } })
    expect(textOf(entry, '.reference')).toBe(name)
  })

  /** What the fold of an entry says in wide windows. */
  const labelOf = (entry: JSX.Element) => textOf(entry, '.more .on-wide') || textOf(entry, '.more')
  const wide = ' when-narrow'
  test.each([
    ['no lines', 'x', null],
    ['lines that show nothing', `x${'\n'.repeat(599)}`, null],
    ['4 lines', `x${'\ny'.repeat(4)}`, null],
    ['4 lines and 600 ends of line', `x${'\n\ny'.repeat(4)}${'\n'.repeat(600)}`, null],
    ['5 lines', `x${'\ny'.repeat(5)}`, '5 lines'],
    ['5 lines of Windows', `x${'\r\ny'.repeat(5)}`, '5 lines'],
    ['5 lines by other characters', 'x\u2028y\u2029y\u2028y\u2029y\u2028y', '5 lines'],
    ['600 lines', `x${'\ny'.repeat(600)}`, '597 more lines'],
    ['176 letters', `x\n${'y'.repeat(176)}`, null],
    ['177 letters', `x\n${'y'.repeat(177)}`, wide],
    ['384 letters', `x\n${'y'.repeat(384)}`, wide],
    ['385 letters', `x\n${'y'.repeat(385)}`, '2 more lines'],
    ['193 wide letters', `x\n${'漢'.repeat(193)}`, '2 more lines'],
    ['97 tabs', `x\ny${'\t'.repeat(97)}y`, '2 more lines'],
  ])('whose body is %s is shown whole or folded', (_, message, folded) => {
    const entry = <DeploymentEntry deployment={deployment({ message })} now={now} />
    const [found] = elementsOf(entry).filter(({ attributes }) => attributes.class?.includes('folded'))
    expect(found?.attributes.class?.replace('body folded', '') ?? null).toBe(
      folded === null ? null : folded === wide ? wide : '',
    )
    if (folded !== null && folded !== wide) expect(labelOf(entry)).toBe(folded)
  })

  test('in compact form shows one line of three, and both of two', () => {
    const folded = (message: string) =>
      labelOf(<DeploymentEntry deployment={deployment({ message })} now={now} place="person" />)
    expect([folded('x\ny\ny'), folded('x\ny\ny\ny')]).toEqual(['', '3 lines'])
  })

  test('omits rules and repetitions of its headline, except within code, and trailers', () => {
    expect(bodyOf('feat: x (#1)\n\n* feat: x\n\n\n1\n---\n2\n\nSigned-off-by: Ada <a@b.c>')).toBe(
      '<p>1\n<br>2</p> ',
    )
    expect(bodyOf('x\n```\nx\n--\n```')).toBe('<pre><code>x\n--</code></pre> ')
    expect(bodyOf('x\n\nx\n---\n')).toBe('')
  })

  test('shows trailers if the search found its words in them alone', () => {
    const message = 'fix: dates\n\nThey were off.\n\nCo-authored-by: Grace <g@b.c>'
    const found = (words: string[]) => {
      const entry = (
        <DeploymentEntry
          deployment={deployment({ message })}
          now={now}
          {...lookOfFound({ words, phrases: [] })}
        />
      )
      return textOf(entry, '.lines')
    }
    expect(found(['grace'])).toContain('Co-authored-by: Grace')
    expect(found(['dates', 'grace'])).not.toContain('Grace')
  })

  test.each([
    ['See https://x.example/a?b=1&c=2.', 'https://x.example/a?b=1&c=2'],
    ['(http://x.example/a_(b))', 'http://x.example/a_(b)'],
    ['[x](https://x.example/), and', 'https://x.example/'],
    ['https://x.example/"onclick="alert(1)', 'https://x.example/'],
    ['HTTPS://例え.jp/リ', 'HTTPS://例え.jp/リ'],
    ['https://gіthub.com/ disguised', null],
    ['https://github.com@x.example/', null],
    ['javascript://x.example/%0aalert(1)', null],
    ['https://', null],
  ])('whose body has %s links to %p', (line, href) => {
    const entry = <DeploymentEntry deployment={deployment({ message: `x\n${line}`, url: null })} now={now} />
    const links = elementsOf(entry).filter(({ attributes }) => attributes.rel !== undefined)
    expect(links.map(({ attributes }) => attributes.href)).toEqual(href === null ? [] : [href])
    expect(textOf(entry, '.lines').trim()).toBe(line.replace(/^\[(.)\]\(.+?\)/, '$1'))
  })

  const rel = 'rel="nofollow ugc noreferrer"'
  test.each([
    [
      'a *b* **c** __d__ `e*f*` g_h_i',
      '<p>a <em>b</em> <strong>c</strong> <strong>d</strong> <code>e*f*</code> g_h_i</p>',
    ],
    ['### Fixes ###\ny', '<p class="heading">Fixes</p> <p>y</p>'],
    ['- a\n- b\n  - c', ' <ul dir="auto"><li>a</li> <li>b <ul dir="auto"><li>c</li> </ul> </li> </ul>'],
    ['3. a\n4. b', ' <ol dir="auto" start="3"><li>a</li> <li>b</li> </ol>'],
    ['```js\n<b> &amp; *c*\n```', '<pre><code>&lt;b&gt; &amp;amp; *c*</code></pre>'],
    [
      '[*a*](https://b.example/?c=1&d "e")',
      `<p><a href="https://b.example/?c=1&amp;d" ${rel}><em>a</em></a></p>`,
    ],
    ['[](https://b.example/)', `<p><a href="https://b.example/" ${rel}>https://b.example/</a></p>`],
    ['![a](https://b.example/c.png)', `<p><a href="https://b.example/c.png" ${rel}>a</a></p>`],
    ['[![a](https://b.example/)](https://c.example/)', `<p><a href="https://c.example/" ${rel}>a</a></p>`],
    ['[a](javascript:alert(1)) [b](/c) [d](data:e)', '<p>[a](javascript:alert(1)) [b](/c) [d](data:e)</p>'],
    [
      '[a](https://gіthub.com/) [b](https://c@d.example/)',
      '<p>[a](https://gіthub.com/) [b](https://c@d.example/)</p>',
    ],
    [
      '[www.bank.example](https://b.example/)',
      `<p>[www.bank.example](<a href="https://b.example/" ${rel}>https://b.example/</a>)</p>`,
    ],
    [
      '<b>a</b> <https://b.example/> &lt;c>',
      `<p>&lt;b&gt;a&lt;/b&gt; &lt;<a href="https://b.example/" ${rel}>https://b.example/</a>&gt; &lt;c&gt;</p>`,
    ],
    [
      '[a][1]\n\n[1]: https://b.example/',
      `<p>[a][1]</p> <p>[1]: <a href="https://b.example/" ${rel}>https://b.example/</a></p>`,
    ],
    [
      ':bug: `:bug:`, http://a.b/:bug:/',
      '<p>🐛 <code>:bug:</code>, <a href="http://a.b/:bug:/" rel="nofollow ugc noreferrer">http://a.b/:bug:/</a></p>',
    ],
    [
      '> a\n> | b | c |\n\n~~d~~\n\n- [x] e',
      '<p>&gt; a\n<br>| b | c |</p> <p>~~d~~</p>  <ul dir="auto"><li>[x] e</li> </ul>',
    ],
    [`${'y'.repeat(58)}\nz`, `<p>${'y'.repeat(58)}\n<br>z</p>`],
    [`${'y'.repeat(59)}\nz`, `<p>${'y'.repeat(59)}\nz</p>`],
    [
      `${'- '.repeat(6)}a`,
      ` ${'<ul dir="auto"><li> '.repeat(6)}a`.replace('> a', '>a') + '</li> </ul> '.repeat(6).trimEnd(),
    ],
    [`${'> '.repeat(7)}a`, `<p>${'&gt; '.repeat(7)}a</p>`],
  ])('draws the Markdown %j', (markdown, markup) => {
    expect(bodyOf(`x\n${markdown}`).trimEnd()).toBe(markup)
  })

  test('sets prefix and suffix apart, and labels its article with its headline', () => {
    const entry = <DeploymentEntry deployment={deployment({ message: 'fix(ui): <b> (#12)' })} now={now} />
    expect([textOf(entry, 'h3'), textOf(entry, '.soft')]).toEqual(['fix(ui): <b> (#12)', 'fix(ui):  (#12)'])
    const article = elementsOf(entry).find(({ name }) => name === 'article')
    const heading = elementsOf(entry).find(({ name }) => name === 'h3')
    expect(article?.attributes['aria-labelledby']).toBe(heading?.attributes.id)
  })

  test('draws code and emoji in its headline, escaped, and marks what a search found in them', () => {
    const message = ':bug: fix(`a`): Keep `<b> cache` & more'
    const look = { now, ...lookOfFound({ words: ['cache', 'more'], phrases: [] }) }
    const entry = String(<DeploymentEntry deployment={deployment({ message })} {...look} />)
    expect(entry).toContain(
      '<span class="soft">🐛 fix(<code>a</code>): </span>Keep <code>&lt;b&gt; <mark>cache</mark></code> &amp; <mark>more</mark></a>',
    )
  })

  test('without a category has no label', () => {
    const entry = <DeploymentEntry deployment={deployment({ category: null })} now={now} />
    expect(elementsOf(entry).filter(({ attributes }) => attributes.class?.includes('category'))).toEqual([])
  })

  test('without a link has none', () => {
    const entry = <DeploymentEntry deployment={deployment({ url: null })} now={now} />
    expect(elementsOf(entry).filter(({ attributes }) => attributes.rel !== undefined)).toEqual([])
    expect(textOf(entry, '.project')).toBe('')
  })

  test('shows its age, with the exact time on hover, and links to its permanent page', () => {
    const entry = <DeploymentEntry deployment={deployment()} now={now} />
    expect(textOf(entry, 'time')).toBe('2 min ago')
    expect(elementsOf(entry)).toContainEqual({
      name: 'time',
      attributes: {
        class: 'age short',
        datetime: '2026-03-12T14:01:00Z',
        title: '12 March 2026, 14:01 UTC',
      },
    })
    expect(elementsOf(entry)).toContainEqual({ name: 'a', attributes: { href: '/ada/412' } })
  })

  test('omits only what the heading of its page says', () => {
    const [feed, person, project] = (['feed', 'person', 'project'] as const).map((place) =>
      textOf(<DeploymentEntry deployment={deployment()} now={now} place={place} />, 'article'),
    )
    expect(feed).toBe('Ada Lovelace ada/engine 2 min ago feature #412✨ Saved searches')
    expect(person).toBe(' ada/engine 2 min ago feature #412✨ Saved searches')
    expect(project).toBe('  2 min ago feature #412✨ Saved searches')
  })

  test('has an id for links to it', () => {
    const [entry] = elementsOf(<DeploymentEntry deployment={deployment()} now={now} />)
    expect(entry).toEqual({
      name: 'li',
      attributes: { class: 'entry', id: 'deployment-412', 'data-by': 'ada' },
    })
  })
})

describe('a list', () => {
  const times = [
    '2026-03-12T00:00:00.000Z',
    '2026-03-11T23:59:59.999Z',
    '2026-03-11T00:00:00Z',
    '2026-03-10T23:59:59Z',
  ]
  const deployments = times.map((time, index) => deployment({ id: 9 - index, deployedAt: new Date(time) }))

  test('is divided at midnight UTC', () => {
    const list = <DeploymentList deployments={deployments} now={now} older={null} href={String} />
    expect(textOf(list, 'h2')).toBe('Thursday 12 March (UTC)Wednesday 11 March (UTC)Tuesday 10 March (UTC)')
    const parts = elementsOf(list).filter(({ name }) => name === 'h2' || name === 'li')
    expect(parts.map(({ name }) => name).join(' ')).toBe('h2 li h2 li li h2 li')
  })

  const facts = { url: 'https://github.com/ada/engine/pull/1', category: null }
  const listOf = (list: readonly Partial<Deployment>[], look: EntryLook = {}, isSearch = false) => (
    <DeploymentList
      deployments={list.map((each, index) =>
        deployment({ ...facts, id: 99 - index, deployedAt: now, ...each }),
      )}
      {...{ now, older: null, href: String, look, isSearch }}
    />
  )
  const joinedIn = (list: unknown) =>
    elementsOf(list).flatMap(({ name, attributes }) =>
      name === 'li' && attributes.id !== undefined ? [attributes.class?.includes('joined')] : [],
    )
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const hour = 3_600_000

  test('joins neighbours by one person to one project within an hour of each other', () => {
    const grace = { ...ada, username: 'grace' }
    expect(
      joinedIn(
        listOf([
          {},
          { deployedAt: ago(hour), url: 'https://github.com/Ada/Engine' },
          { deployedAt: ago(2 * hour) },
          { deployedAt: ago(3 * hour + 1) },
          { deployedAt: ago(3 * hour + 1), poster: grace },
          { deployedAt: ago(3 * hour + 1), poster: grace, url: 'https://github.com/ada/notes' },
          { deployedAt: ago(3 * hour + 1), poster: grace, url: null },
          { deployedAt: ago(3 * hour + 1), poster: grace, url: null },
        ]),
      ),
    ).toEqual([false, true, true, false, false, false, false, false])
    expect(joinedIn(listOf([{}, {}], { place: 'person' }))).toEqual([false, true])
    expect(joinedIn(listOf([{}, {}], { place: 'project' }))).toEqual([false, false])
  })

  const bump = { message: 'chore(deps): bump x from 1 to 2' }
  const foldsIn = (list: unknown) =>
    [...String(list).matchAll(/<span class="count">(\d+)</g)].map(([, n]) => Number(n))

  test('folds neighbours by bots, unless all are by bots or were searched for', () => {
    const list = [{}, bump, bump, {}, bump, {}, bump, bump, bump]
    expect(foldsIn(listOf(list))).toEqual([2, 3])
    expect(foldsIn(listOf(list, { isOnDay: true }))).toEqual([2, 3])
    expect(joinedIn(listOf(list))).toEqual([false, false, true, false, true, true, false, true, true])
    expect(foldsIn(listOf([bump, bump]))).toEqual([])
    expect(foldsIn(listOf(list, {}, true))).toEqual([])
    const [first, second] = [ago(0), ago(24 * hour)]
    const days = [{ ...bump, deployedAt: first }, { ...bump, deployedAt: second }, { deployedAt: second }]
    expect(foldsIn(listOf(days))).toEqual([])
  })

  test.each([
    ['Bump lodash from 4.17.20 to 4.17.21', true],
    ['⬆️ Bump next from 14.0.3 to 14.0.4 (#1659)', true],
    [':arrow_up::lock: Bump acorn from 6.3.0 to 6.4.1', true],
    ['build(deps-dev): bump @types/cookie from 0.5.4 to 0.6.0', true],
    ['fix(deps)!: update module x to v3', true],
    ['Translated using Weblate (German)', true],
    ['Update x\n\nSigned-off-by: renovate[bot] <a@b.c>', true],
    ['Update x\n\n---\nupdated-dependencies:\n- dependency-name: x', true],
    ['🔖 Bump version to 2.1.0', false],
    ['🔧 Enable `dependabot` for `github-actions`', false],
    ['Update deps', false],
    ['Pair\n\nCo-authored-by: copilot[bot] <a@b.c>', false],
  ])('takes %j for the work of a bot: %p', (message, isBot) => {
    expect(foldsIn(listOf([{}, { message }, { message }]))).toEqual(isBot ? [2] : [])
  })

  test.each(['dependabot[bot]', 'Renovate', 'weblate'])('takes %s for a bot', (name) => {
    const poster = { ...ada, name }
    expect(foldsIn(listOf([{}, { poster }, { poster }]))).toEqual([2])
  })

  test('links to the older page, even without scripts', () => {
    const href = (before: number) => `/?category=feature&before=${before}`
    const list = <DeploymentList deployments={deployments} now={now} older={6} href={href} />
    const link = elementsOf(list).find(({ attributes }) => attributes['hx-get'] !== undefined)
    expect(link?.attributes.href).toBe('/?category=feature&before=6')
    expect(link?.attributes['hx-get']).toBe('/?category=feature&before=6')
  })

  test('ends without that link on the last page', () => {
    const list = <DeploymentList deployments={deployments} now={now} older={null} href={String} />
    expect(elementsOf(list).filter(({ name }) => name === 'nav')).toEqual([])
  })
})

/** Every tag of a body. */
const drawn =
  /<(?:\/?(?:p|em|strong|code|pre|li)|\/(?:a|ul|ol)|br|p class="heading"|(?:ul|ol) dir="auto"(?: start="\d+")?|a href="https?:\/\/[^"<>\s]+" rel="nofollow ugc noreferrer")>/g

/** The elements that are not closed in their order, and links within links. */
function openIn(markup: string): string[] {
  const open: string[] = []
  for (const [, end, name = ''] of markup.matchAll(/<(\/?)(\w+)/g)) {
    if (end === '')
      open.push(...(name === 'br' ? [] : name === 'a' && open.includes('a') ? ['a in a'] : [name]))
    else if (open.at(-1) === name) open.pop()
    else open.push(`/${name}`)
  }
  return open
}

const ours = /^(?:li|article|svg|path|p|a|bdi|time|span|h3|div|details|summary|em|strong|code|pre|ul|ol|br)$/

/** The markup of a body in a list. */
function bodyOf(message: string): string {
  const entry = <DeploymentEntry deployment={deployment({ message, url: null })} now={now} />
  return /<div class="lines">(.*?)<\/div>/s.exec(String(entry))?.[1] ?? ''
}

function postedLink(url: string) {
  const entry = <DeploymentEntry deployment={deployment({ url })} now={now} />
  return elementsOf(entry).find(({ attributes }) => attributes.rel !== undefined)?.attributes
}
