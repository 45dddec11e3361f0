import { expect, test } from 'bun:test'
import { underBasePath } from '../../src/views/page/address.ts'
import { elementsOf } from '../support/markup.ts'
import { everyPage } from './every-page.tsx'

test.each(everyPage)(
  'every address in the markup of %s gets the base path, and no text does',
  (_, markup) => {
    const before = elementsOf(markup)
    const after = elementsOf(underBasePath('https://ship.example/base', markup))
    const isOurs = (name: string, value: string) =>
      value.startsWith('/') && !['value', 'aria-keyshortcuts'].includes(name)
    const expected = before.map(({ name, attributes }) => ({
      name,
      attributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [
          name,
          isOurs(name, value) ? `/base${value}` : value,
        ]),
      ),
    }))
    expect(after).toEqual(expected)
    const withoutMarkup = (text: unknown) => String(text).replace(/<[^>]*>/g, '')
    expect(withoutMarkup(underBasePath('https://ship.example/base', markup))).toBe(withoutMarkup(markup))
  },
)

test('markup stays unchanged without a base path', () => {
  expect(underBasePath('https://ship.example', '<a href="/docs">')).toBe('<a href="/docs">')
})
