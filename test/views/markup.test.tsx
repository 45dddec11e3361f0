import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import fc from 'fast-check'
import { template } from '../../src/views/parts/markup.ts'
import { elementsOf, textOf } from '../support/markup.ts'

const draw = template<'title' | 'text', 'part'>(({ title, text }, { part }) => (
  <p title={`a ${title}`}>
    <b>{text}</b>
    {part}
  </p>
))

test('texts stay text in elements and attributes, and markup stays markup', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', "'", '<b>', '&lt;', '\uFFFE', '$&'),
  )
  fc.assert(
    fc.property(hostile, hostile, (title, text) => {
      const markup = draw({ title, text }, { part: <i>part</i> })
      expect(elementsOf(markup)).toEqual([
        { name: 'p', attributes: { title: `a ${title}` } },
        { name: 'b', attributes: {} },
        { name: 'i', attributes: {} },
      ])
      expect(textOf(markup, 'b')).toBe(text)
    }),
  )
})
