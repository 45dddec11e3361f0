import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import { DeploymentEntry } from '../../src/views/deployment/entry.tsx'
import { DeploymentList } from '../../src/views/feed/list.tsx'
import { asListed, elementsOf, listedIn, textOf } from '../support/markup.ts'
import { ada, deployment, now } from './samples.ts'

const markupLike = fc.constantFrom(
  ...['<script>', '</bdi>', '</li>', '<!--', ']]>', '"', "'", '&', '&lt;', '\u202e', '\n'],
)
const hostileText = fc
  .array(fc.oneof(markupLike, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''))

describe('an entry', () => {
  test('shows any message and name as text', () => {
    const ours = /^(?:li|article|svg|path|p|a|bdi|time|span|h3|div|details|summary)$/
    fc.assert(
      fc.property(hostileText, hostileText, (message, name) => {
        const entry = (
          <DeploymentEntry deployment={deployment({ message, poster: { ...ada, name } })} now={now} />
        )
        const names = elementsOf(entry).map(({ name }) => name)
        expect(names.filter((name) => !ours.test(name))).toEqual([])
        expect(names.filter((name) => /^(?:li|article|h3)$/.test(name))).toEqual(['li', 'article', 'h3'])
        expect(listedIn(entry)).toBe(asListed(message))
        expect(textOf(entry, '.meta > .quiet')).toBe(name)
      }),
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
      rel: 'nofollow ugc noreferrer',
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
    expect(elementsOf(entry)).toContainEqual({ name: 'a', attributes: { class: 'project', href: address } })
    expect(textOf(entry, '.reference')).toBe(name)
  })

  const wide = ' when-narrow'
  test.each([
    ['no lines', 'x', null],
    ['lines that show nothing', `x${'\n'.repeat(599)}`, null],
    ['4 lines', `x${'\ny'.repeat(4)}`, null],
    ['4 lines and 600 ends of line', `x${'\n\ny'.repeat(4)}${'\n'.repeat(600)}`, null],
    ['5 lines', `x${'\ny'.repeat(5)}`, '2'],
    ['5 lines of Windows', `x${'\r\ny'.repeat(5)}`, '2'],
    ['5 lines by other characters', 'x\u2028y\u2029y\u2028y\u2029y\u2028y', '2'],
    ['600 lines', `x${'\ny'.repeat(600)}`, '597'],
    ['176 letters', `x\n${'y'.repeat(176)}`, null],
    ['177 letters', `x\n${'y'.repeat(177)}`, wide],
    ['384 letters', `x\n${'y'.repeat(384)}`, wide],
    ['385 letters', `x\n${'y'.repeat(385)}`, '2'],
    ['193 wide letters', `x\n${'漢'.repeat(193)}`, '2'],
    ['97 tabs', `x\ny${'\t'.repeat(97)}y`, '2'],
  ])('whose body is %s is shown whole or folded', (_, message, folded) => {
    const entry = <DeploymentEntry deployment={deployment({ message })} now={now} />
    const [found] = elementsOf(entry).filter(({ attributes }) => attributes.class?.includes('folded'))
    expect(found?.attributes.class?.replace('body folded', '') ?? null).toBe(
      folded === null ? null : folded === wide ? wide : '',
    )
    if (folded !== null && folded !== wide) expect(textOf(entry, '.more .on-wide')).toBe(folded)
  })

  test('in compact form shows one line of three, and both of two', () => {
    const folded = (message: string) =>
      textOf(
        <DeploymentEntry deployment={deployment({ message })} now={now} place="person" />,
        '.more .on-wide',
      )
    expect([folded('x\ny\ny'), folded('x\ny\ny\ny')]).toEqual(['', '2'])
  })

  test('omits lines that add nothing while it is folded, and reduces several blank lines to one', () => {
    const message = 'feat: x (#1)\n\n* feat: x\n\n\n1\n---\n2\n\n3\n4\n5\n'
    const entry = <DeploymentEntry deployment={deployment({ message })} now={now} />
    expect(textOf(entry, '.lines')).toBe('* feat: x\n\n1\n---\n2\n\n3\n4\n5')
    expect(textOf(entry, '.left-out')).toBe('* feat: x\n\n\n---\n')
    const short = <DeploymentEntry deployment={deployment({ message: 'x\n\nx\n--\ny\n\nz' })} now={now} />
    expect(textOf(short, '.lines')).toBe('y\nz')
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
    expect(textOf(entry, '.lines')).toBe(line)
  })

  test('sets prefix and suffix apart, and labels its article with its headline', () => {
    const entry = <DeploymentEntry deployment={deployment({ message: 'fix(ui): <b> (#12)' })} now={now} />
    expect([textOf(entry, 'h3'), textOf(entry, '.soft')]).toEqual(['fix(ui): <b> (#12)', 'fix(ui):  (#12)'])
    const article = elementsOf(entry).find(({ name }) => name === 'article')
    const heading = elementsOf(entry).find(({ name }) => name === 'h3')
    expect(article?.attributes['aria-labelledby']).toBe(heading?.attributes.id)
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

function postedLink(url: string) {
  const entry = <DeploymentEntry deployment={deployment({ url })} now={now} />
  return elementsOf(entry).find(({ attributes }) => attributes.rel !== undefined)?.attributes
}
