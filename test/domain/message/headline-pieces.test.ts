import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { categories, categoryOf } from '../../../src/domain/category.ts'
import { headlineOf } from '../../../src/domain/message/headline.ts'
import { piecesOf, plainTitle } from '../../../src/domain/message/headline-pieces.ts'

/** The pieces of a line, with its code in angle brackets. */
const drawn = (line: string) => piecesOf(line).map(({ text, isCode }) => (isCode ? `<${text}>` : text))

describe('the pieces of a headline', () => {
  test.each([
    ['Update typescript', ['Update typescript']],
    ['Use `bun test` twice', ['Use ', '<bun test>', ' twice']],
    ['`a` and `b`', ['<a>', ' and ', '<b>']],
    ['``a`b`` c', ['<a`b>', ' c']],
    ['`` `a` ``', ['<`a`>']],
    ['a `b', ['a `b']],
    ['a ``b` c', ['a ``b` c']],
    ['a `b`` c`', ['a ', '<b`` c>']],
    ['` `', ['< >']],
    ['', ['']],
    [':wrench: fix: `:bug:` of :nothing:', ['🔧 fix: ', '<:bug:>', ' of :nothing:']],
    [':tada::Sparkles:Both', ['🎉✨Both']],
    ['std::fire::now at 10:fire:20, ::fire::, https://ada.dev/:fire:', null],
  ])('of %j', (line, pieces) => expect(drawn(line)).toEqual(pieces ?? [line]))

  test('are the whole line where nothing marks code', () => {
    const line = fc.string({ unit: fc.constantFrom('a', ' ', '(', ':', '/') })
    fc.assert(fc.property(line, (text) => expect(drawn(text)).toEqual([text])))
  })

  test('of a line of backticks are found, or it stays as it is', () => {
    const line = Array.from({ length: 88 }, (_, n) => '`'.repeat(n + 1)).join(' ')
    const pieces = piecesOf(line)
    expect(pieces).toEqual([{ text: line, isCode: false }])
    expect(piecesOf('` '.repeat(2_048))).toHaveLength(2_048)
  })
})

test('a plain title has neither backticks nor shortcodes', () => {
  expect(plainTitle(headlineOf(':bug: fix(`api`): `cache` is kept (#12)\n\n`body`'))).toBe(
    '🐛 fix(api): cache is kept (#12)',
  )
})

test('a shortcode says the same of the category as its emoji', () => {
  const shortcodes = [':sparkles:', ':beetle:', ':lady_beetle:', ':racehorse:', ':children_crossing:']
  const said = shortcodes.map((shortcode) => categoryOf(`${shortcode} Dates`))
  expect(said).toEqual(['feature', 'bug_fix', 'bug_fix', 'performance_improvement', 'styling_change'])
  expect(Object.keys(categories)).toEqual(expect.arrayContaining(said))
})
