import { describe, expect, test } from 'bun:test'
import { elementsOf, textOf } from '../support/markup.ts'
import { everyPage } from './every-page.tsx'

const known = new Set(
  `html head meta title link script body header main nav a svg g path rect text form button section article h1 h2 h3 p
  ol ul li div span bdi time strong code pre figure figcaption img dl dt dd table thead tbody tr th td label
  input details summary template fieldset legend select option`.split(/\s+/),
)

describe.each(everyPage)('%s', (_, page) => {
  const elements = elementsOf(page)
  const named = (...names: string[]) => elements.filter(({ name }) => names.includes(name))

  test('has no element but those of its views', () => {
    expect(elements.map(({ name }) => name).filter((name) => !known.has(name))).toEqual([])
  })

  test('needs no inline style, no inline script and no handler', () => {
    const attributes = elements.flatMap((element) => Object.keys(element.attributes))
    expect(attributes.filter((name) => name === 'style' || /^(on|hx-on)/.test(name))).toEqual([])
    expect(named('script').map(({ attributes }) => attributes)).toEqual([
      { src: '/assets/1/app.js', type: 'module' },
      { src: '/assets/1/htmx.js' },
      { src: '/assets/1/hx-sse.js' },
    ])
    const addresses = elements.flatMap(({ attributes }) => [attributes.href ?? '', attributes.action ?? ''])
    expect(addresses.filter((address) => /^\s*(javascript|data|vbscript):/i.test(address))).toEqual([])
  })

  test('leaks no value of the language into its text', () => {
    expect(textOf(page, 'body')).not.toMatch(/undefined|null,|NaN|\[object|Invalid Date/)
  })

  test('has one main heading and one main part', () => {
    expect(named('h1')).toHaveLength(1)
    expect(named('main')).toHaveLength(1)
  })

  test('uses an id once, and names only ids that are there', () => {
    const ids = elements.flatMap(({ attributes }) => attributes.id ?? [])
    expect(ids).toEqual([...new Set(ids)])
    const references = elements.flatMap(({ attributes }) =>
      ['for', 'aria-describedby', 'aria-labelledby'].flatMap((name) => attributes[name]?.split(' ') ?? []),
    )
    expect(references.filter((id) => !ids.includes(id))).toEqual([])
  })

  test('labels every field that can be seen, and every picture', () => {
    const labelled = named('label').map(({ attributes }) => attributes.for)
    const fields = named('input', 'select').filter(
      ({ attributes }) => attributes.type !== 'hidden' && attributes.hidden === undefined,
    )
    expect(fields.map(({ attributes }) => attributes.id)).toEqual(labelled)
    expect(named('img').filter(({ attributes }) => !attributes.alt)).toEqual([])
  })

  test('gives the focus to one field at most', () => {
    expect(elements.filter(({ attributes }) => attributes.autofocus !== undefined).length).toBeLessThan(2)
  })
})
