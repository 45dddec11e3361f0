import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import { isBlank, withControlPictures } from '../../src/domain/text.ts'
import { DeploymentEntry } from '../../src/views/deployment/entry.tsx'
import { DeploymentList } from '../../src/views/feed/list.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { ada, deployment, now } from './samples.ts'

const markupLike = fc.constantFrom(
  ...['<script>', '</bdi>', '</li>', '<!--', ']]>', '"', "'", '&', '&lt;', '\u202e', '\n'],
)
const hostileText = fc
  .array(fc.oneof(markupLike, fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''))

/** What of a text leaves a mark on a page. */
function inkOf(text: string): string {
  return [...text].filter((character) => !isBlank(character)).join('')
}

describe('an entry', () => {
  test('keeps the message and the name as text, whatever they are', () => {
    const harmless = elementsOf(<DeploymentEntry deployment={deployment()} now={now} />).map(
      ({ name }) => name,
    )
    fc.assert(
      fc.property(hostileText, hostileText, (message, name) => {
        const entry = (
          <DeploymentEntry deployment={deployment({ message, poster: { ...ada, name } })} now={now} />
        )
        expect(elementsOf(entry).map(({ name }) => name)).toEqual(harmless)
        expect(inkOf(textOf(entry, '.message'))).toBe(inkOf(withControlPictures(message)))
        expect(textOf(entry, 'h3')).toBe(name)
      }),
    )
  })

  test('links to the posted address exactly', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (url) => {
        expect(postedLink(`${url}&lt;`)?.href).toBe(`${url}&lt;`)
      }),
    )
  })

  test('a quote in the posted address does not end its attribute', () => {
    expect(postedLink('https://x.example/"onmouseover="alert(1)')).toEqual({
      class: 'posted-link',
      href: 'https://x.example/"onmouseover="alert(1)',
      rel: 'nofollow ugc noreferrer',
    })
  })

  test.each([
    ['https://github.com/ada/engine/pull/412', 'github.com/ada/engine/pull/412'],
    ['http://app.example/', 'app.example'],
    ['HTTPS://App.Example:8443/Log?a=1&b=2#top', 'app.example:8443/Log?a=1&b=2#top'],
    ['https://gіthub.com/ada', 'xn--gthub-n2e.com/ada'],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
    ['https://例え.jp/リ/ü%2Fx', '例え.jp/リ/ü%2Fx'],
    ['https://münchen.example:8443/مرحبا', 'münchen.example:8443/مرحبا'],
    ['https://x.example/\u202egpj.exe', 'x.example/%E2%80%AEgpj.exe'],
    ['https://x.example/%C3%BC%ff%C3', 'x.example/%C3%BC%ff%C3'],
    ['https://x.example/a%E2%80%8Bb%CC%81', 'x.example/a%E2%80%8Bb\u0301'],
    [
      `https://github.com/ada/engine/commit/9f1c2ab${'0'.repeat(33)}#r1`,
      'github.com/ada/engine/commit/9f1c2ab#r1',
    ],
    [`https://x.example/${'a'.repeat(41)}`, `x.example/${'a'.repeat(41)}`],
    [`https://x.example/${'a'.repeat(55)}`, `x.example/${'a'.repeat(55)}`],
    [`https://x.example/${'a'.repeat(39)}${'b'.repeat(17)}`, `x.example/${'a'.repeat(38)}…${'b'.repeat(16)}`],
    [`https://${'a'.repeat(24)}.example/`, `${'a'.repeat(24)}.example`],
    [`https://${'a'.repeat(25)}.example/`, `…${'a'.repeat(24)}.example`],
    [`https://${'a'.repeat(20)}.b.example/`, `${'a'.repeat(20)}.b.example`],
    [`https://${'a'.repeat(23)}.b.example/`, '…b.example'],
  ])('%s is shown as %s', (url, shown) => {
    expect(textOf(<DeploymentEntry deployment={deployment({ url })} now={now} />, '.posted-link bdi')).toBe(
      shown,
    )
  })

  const wide = ' when-narrow'
  test.each([
    ['8 lines', `x${'\nx'.repeat(7)}`, null],
    ['8 lines and 600 ends of line', `x${'\nx'.repeat(7)}${'\n'.repeat(600)}`, null],
    ['9 lines', `x${'\nx'.repeat(8)}`, ''],
    ['9 lines of Windows', `x${'\r\nx'.repeat(8)}`, ''],
    ['9 lines by other characters', 'x\u2028x\u2029x\u2028x\u2029x\u2028x\nx\nx\nx', ''],
    ['2 lines far apart', `x${'\n \u200b\t'.repeat(90)}\nx`, null],
    ['256 letters', 'x'.repeat(256), null],
    ['257 letters', 'x'.repeat(257), wide],
    ['576 letters', 'x'.repeat(576), wide],
    ['577 letters', 'x'.repeat(577), ''],
    ['288 wide letters', '漢'.repeat(288), wide],
    ['289 wide letters', '漢'.repeat(289), ''],
    ['144 tabs', `x${'\t'.repeat(144)}x`, ''],
  ])('of %s is whole or folded, and its text is all there', (_, message, folded) => {
    const entry = <DeploymentEntry deployment={deployment({ message })} now={now} />
    const [found] = elementsOf(entry).filter(({ attributes }) => attributes.class?.startsWith('folded'))
    expect(found?.attributes.class ?? null).toBe(folded === null ? null : `folded${folded}`)
    expect(inkOf(textOf(entry, '.message'))).toBe(inkOf(withControlPictures(message)))
  })

  test('draws one blank line for three or more, none at the end, and two as they are', () => {
    const message = 'a\n\n\nb\n\n\n\nc\r\n\r\n'
    expect(textOf(<DeploymentEntry deployment={deployment({ message })} now={now} />, '.message')).toBe(
      'a\n\n\nb\n\nc',
    )
  })

  test('without a link has none', () => {
    const entry = <DeploymentEntry deployment={deployment({ url: null })} now={now} />
    expect(elementsOf(entry).filter(({ attributes }) => attributes.rel !== undefined)).toEqual([])
  })

  test('tells its age, with the exact time on hover, and links to its permanent page', () => {
    const entry = <DeploymentEntry deployment={deployment()} now={now} />
    expect(textOf(entry, 'time')).toBe('2 minutes ago')
    expect(elementsOf(entry)).toContainEqual({
      name: 'time',
      attributes: { class: 'age', datetime: '2026-03-12T14:01:00Z', title: '12 March 2026, 14:01:00 UTC' },
    })
    expect(elementsOf(entry)).toContainEqual({ name: 'a', attributes: { class: 'quiet', href: '/ada/412' } })
  })

  test('that is compact leaves out who deployed, and nothing else', () => {
    const [full, compact] = [false, true].map((compact) => (
      <DeploymentEntry deployment={deployment()} now={now} compact={compact} />
    ))
    expect(textOf(compact, 'article')).toBe(textOf(full, 'article').replace('Ada Lovelace@ada', ''))
    expect(elementsOf(compact).filter(({ name }) => name === 'svg' || name === 'h3')).toEqual([])
  })

  test('can be addressed by its id', () => {
    const [entry] = elementsOf(<DeploymentEntry deployment={deployment()} now={now} />)
    expect(entry).toEqual({ name: 'li', attributes: { class: 'entry', id: 'deployment-412' } })
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
    expect(textOf(list, 'h2')).toBe('Today (UTC)Yesterday (UTC)10 March 2026 (UTC)')
    const parts = elementsOf(list).filter(({ name }) => name === 'h2' || name === 'li')
    expect(parts.map(({ name }) => name).join(' ')).toBe('h2 li h2 li li h2 li')
  })

  test('links to the older page, for a browser without scripts too', () => {
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
