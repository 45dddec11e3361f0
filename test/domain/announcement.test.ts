import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAnnouncement } from '../../src/domain/announcement.ts'
import { fileField, repeatedField } from '../../src/domain/field.ts'

const blankReason = ["can't be blank"]

describe('an announcement', () => {
  test('is its message as it was sent, with no url and the category that it earns', () => {
    expect(parsed({ message: '  ✨ Dark mode\r\n\tat last \n' })).toEqual({
      message: '  ✨ Dark mode\r\n\tat last \n',
      url: null,
      category: 'feature',
    })
  })

  test('keeps any well-formed text as it is', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).map((tail) => `.${tail}`)
    fc.assert(fc.property(text, (message) => parsed({ message }).message === message))
  })

  test('has no category when nothing tells', () =>
    expect(parsed({ message: 'Version 2' }).category).toBeNull())

  test('ignores unknown fields', () => {
    expect(parsed({ message: 'Version 2', id: 7, status: 'failed', user: {} })).toEqual({
      message: 'Version 2',
      url: null,
      category: null,
    })
  })

  test('tells the reasons of all invalid fields at once, and of no valid one', () => {
    expect(reasons({ message: '', url: 'ftp://example.com', category: 'bug' })).toEqual({
      message: blankReason,
      url: ['must start with http:// or https://'],
      category: ['must be one of feature, bug_fix, performance_improvement, styling_change'],
    })
    expect(Object.keys(reasons({ message: '', url: 'https://example.com' }))).toEqual(['message'])
    expect(Object.keys(reasons({ message: 'fine', url: 'example.com' }))).toEqual(['url'])
  })

  test.each(['message', 'url', 'category'])('%s must be given once, as text, without coercion', (name) => {
    const fields = { message: 'fine' }
    expect(reasons({ ...fields, [name]: repeatedField })).toEqual({ [name]: ['must be given once'] })
    expect(reasons({ ...fields, [name]: fileField })).toEqual({ [name]: ['must be text, not a file'] })
    for (const value of [0, 42, true, false, {}, [], ['x'], Symbol('other'), 1n]) {
      expect(reasons({ ...fields, [name]: value })).toEqual({ [name]: ['must be a string'] })
    }
  })
})

describe('a message', () => {
  test('that is missing or shows nothing is blank', () => {
    const blank = [undefined, null, '', ' \n', '\u200b']
    for (const message of blank) expect(reasons({ message })).toEqual({ message: blankReason })
    expect(reasons({})).toEqual({ message: blankReason })
  })

  test.each([
    ['a', 4096],
    ['é', 2048],
    ['🚀', 1024],
  ])('of 4,096 bytes is taken, one byte more is refused (%s)', (character, count) => {
    const message = character.repeat(count)
    expect(parsed({ message }).message).toBe(message)
    expect(reasons({ message: `${message}.` })).toEqual({
      message: ['must be at most 4096 bytes of UTF-8 (these are 4097)'],
    })
  })

  test.each(['a\0', 'a\ud83d'])('%j is refused for what cannot be stored', (message) =>
    expect(reasons({ message }).message).toHaveLength(1),
  )

  test('is told all that is wrong with it', () =>
    expect(reasons({ message: `${'a'.repeat(4096)}\0\ud83d` }).message).toHaveLength(3))
})

describe('a category', () => {
  test.each(['feature', 'bug_fix', 'performance_improvement', 'styling_change'] as const)(
    '%s is taken, whatever the message says',
    (category) => expect(parsed({ message: 'docs: add a fix', category }).category).toBe(category),
  )

  test.each([undefined, null, ''])('%p is read from the message', (category) =>
    expect(parsed({ message: 'fix: crash', category }).category).toBe('bug_fix'),
  )

  test.each(['bug fix', 'Feature', ' feature', 'toString'])('%j is none of the four', (category) =>
    expect(reasons({ message: 'fine', category }).category).toHaveLength(1),
  )
})

function parsed(fields: Record<string, unknown>) {
  const result = parseAnnouncement(fields)
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.reasons)}`)
  return result.announcement
}

function reasons(fields: Record<string, unknown>) {
  const result = parseAnnouncement(fields)
  if (result.ok) throw new Error(`taken: ${JSON.stringify(result.announcement)}`)
  return result.reasons
}
