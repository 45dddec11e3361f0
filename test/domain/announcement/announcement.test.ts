import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseAnnouncement } from '../../../src/domain/announcement/announcement.ts'
import { fileField, repeatedField } from '../../../src/domain/field-parsing.ts'

const blankReason = ["can't be blank"]
const now = new Date('2026-11-21T12:00:00Z')

describe('an announcement', () => {
  test('has its message unchanged, no url, and the category of its message', () => {
    expect(parsed({ message: '  ✨ Dark mode\r\n\tat last \n' })).toEqual({
      message: '  ✨ Dark mode\r\n\tat last \n',
      url: null,
      category: 'feature',
    })
  })

  test('keeps any well-formed text unchanged', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }).map((tail) => `.${tail}`)
    fc.assert(fc.property(text, (message) => parsed({ message }).message === message))
  })

  test('has no category without a sign of one', () =>
    expect(parsed({ message: 'Version 2' }).category).toBeNull())

  test('ignores unknown fields', () => {
    expect(parsed({ message: 'Version 2', id: 7, started_at: '2020-01-01T00:00:00Z', user: {} })).toEqual({
      message: 'Version 2',
      url: null,
      category: null,
    })
  })

  test('gets the reasons for all invalid fields at once, and for no valid one', () => {
    expect(reasons({ message: '', url: 'ftp://example.com', category: 'bug' })).toEqual({
      message: blankReason,
      url: ['must start with http:// or https://'],
      category: ['must be one of feature, bug_fix, performance_improvement, styling_change'],
    })
    expect(Object.keys(reasons({ message: '', url: 'https://example.com' }))).toEqual(['message'])
    expect(Object.keys(reasons({ message: 'fine', url: 'example.com' }))).toEqual(['url'])
  })

  test.each(['message', 'url', 'category'])('%s must be sent once, as a string', (name) => {
    const fields = { message: 'fine' }
    expect(reasons({ ...fields, [name]: repeatedField })).toEqual({ [name]: ['must be given once'] })
    expect(reasons({ ...fields, [name]: fileField })).toEqual({ [name]: ['must be text, not a file'] })
    for (const value of [0, 42, true, false, {}, [], ['x'], Symbol('other'), 1n]) {
      expect(reasons({ ...fields, [name]: value })).toEqual({ [name]: ['must be a string'] })
    }
  })
})

describe('fields that are not stored must agree with the record:', () => {
  const at = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

  test.each(['status', 'state'])('%s must be success, in any letter case', (name) => {
    for (const value of ['success', 'SUCCESS', 'Success', '', null])
      parsed({ message: 'fine', [name]: value })
    for (const value of ['failure', 'failed', 'succeeded', ' success', 'rolled_back', 'in_progress']) {
      expect(reasons({ message: 'fine', [name]: value })).toEqual({
        [name]: ['must be success: announce only deployments that succeeded'],
      })
    }
  })

  test('deployed_at must be within ten minutes of now', () => {
    const taken = [at(0), at(600), at(-600), '2026-11-21T12:00Z', '2026-11-21T14:05:00+02:00', '', null]
    for (const deployed_at of taken) parsed({ message: 'fine', deployed_at })
    const refused = [
      at(601),
      at(-601),
      '2020-01-01T00:00:00Z',
      '2026-11-21',
      '2026-11-21T12:00:00',
      '1795262400',
      'now',
    ]
    for (const deployed_at of refused) {
      expect(reasons({ message: 'fine', deployed_at })).toEqual({
        deployed_at: [expect.stringContaining('within 10 minutes of now, such as 2026-11-21T12:00:00Z')],
      })
    }
  })

  test('env is refused with the right name', () =>
    expect(reasons({ message: 'fine', env: 'production' })).toEqual({
      env: ['is not a field: use environment'],
    }))

  test('none of them is converted', () => {
    for (const name of ['status', 'state', 'deployed_at', 'env']) {
      for (const value of [200, true, [], {}]) {
        expect(reasons({ message: 'fine', [name]: value })).toEqual({ [name]: ['must be a string'] })
      }
    }
  })
})

describe('a message', () => {
  test('that is missing or invisible is blank', () => {
    const blank = [undefined, null, '', ' \n', '\u200b']
    for (const message of blank) expect(reasons({ message })).toEqual({ message: blankReason })
    expect(reasons({})).toEqual({ message: blankReason })
  })

  test.each([
    ['a', 4096],
    ['é', 2048],
    ['🚀', 1024],
  ])('of 4,096 bytes is accepted, of one byte more refused (%s)', (character, count) => {
    const message = character.repeat(count)
    expect(parsed({ message }).message).toBe(message)
    expect(reasons({ message: `${message}.` })).toEqual({
      message: ['must be at most 4096 bytes of UTF-8 (these are 4097)'],
    })
  })

  test.each(['a\0', 'a\ud83d'])('%j is refused because it cannot be stored', (message) =>
    expect(reasons({ message }).message).toHaveLength(1),
  )

  test('gets all reasons at once', () =>
    expect(reasons({ message: `${'a'.repeat(4096)}\0\ud83d` }).message).toHaveLength(3))
})

describe('a category', () => {
  test.each(['feature', 'bug_fix', 'performance_improvement', 'styling_change'] as const)(
    '%s is kept, whatever the message says',
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
  const result = parseAnnouncement(fields, { now })
  if (result.outcome === 'invalid') throw new Error(`refused: ${JSON.stringify(result.reasons)}`)
  return result.announcement
}

function reasons(fields: Record<string, unknown>) {
  const result = parseAnnouncement(fields, { now })
  if (result.outcome === 'valid') throw new Error(`taken: ${JSON.stringify(result.announcement)}`)
  return result.reasons
}
