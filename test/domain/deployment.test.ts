import { describe, expect, test } from 'bun:test'
import { parseAnnouncement } from '../../src/domain/announcement/announcement.ts'
import { fileField, repeatedField } from '../../src/domain/field-parsing.ts'

const given = { environment: 'eu/prod-1_b.x', version: 'v2.4.0 “Ada”', commit: 'DEADbeef' }

test('environment, version and commit are kept unchanged, and each is optional', () => {
  expect(parsed(given)).toEqual(given)
  for (const [name, value] of Object.entries(given)) {
    expect(parsed({ [name]: value })).toEqual({ ...nothing, [name]: value })
  }
})

test('an empty field counts as missing', () => {
  for (const empty of ['', null, undefined]) {
    expect(parsed({ environment: empty, version: empty, commit: empty })).toEqual(nothing)
  }
})

describe('only lengths within both bounds are accepted:', () => {
  test.each([
    ['environment', 'a', 'a'.repeat(64), ['', 'a'.repeat(65)]],
    ['version', '2', '😀'.repeat(128), ['', '😀'.repeat(129)]],
    ['commit', '1234567', 'f'.repeat(64), ['123456', 'f'.repeat(65)]],
  ])('%s', (name, shortest, longest, [tooShort, tooLong]) => {
    expect(parsed({ [name]: shortest })).toMatchObject({ [name]: shortest })
    expect(parsed({ [name]: longest })).toMatchObject({ [name]: longest })
    for (const refused of [tooShort, tooLong]) {
      if (refused !== '') expect(Object.keys(reasons({ [name]: refused }))).toEqual([name])
    }
  })
})

test.each([
  ['environment', ['prod eu', 'prod\n', 'größe', 'prod@eu', 'a?b', ' prod']],
  [
    'version',
    [
      ' \u200b',
      'a\nb',
      'a\tb',
      'a\u2028b',
      'a\u202eb',
      'a\u0007',
      'a\ud800',
      'e\u0301\u0301\u0301\u0301\u0301',
    ],
  ],
  ['commit', ['main', '123456g', '1234 567', '1234567\n']],
])('an invalid %s is refused under its name', (name, refused) => {
  for (const value of refused) expect(Object.keys(reasons({ [name]: value }))).toEqual([name])
})

test.each(Object.keys(given))('%s must be sent once, as a string', (name) => {
  expect(reasons({ [name]: repeatedField })).toEqual({ [name]: ['must be given once'] })
  expect(reasons({ [name]: fileField })).toEqual({ [name]: ['must be text, not a file'] })
  for (const value of [0, 1234567, true, {}, ['production']]) {
    expect(reasons({ [name]: value })).toEqual({ [name]: ['must be a string'] })
  }
})

test('all invalid fields are reported at once, with the message', () => {
  const wrong = { message: '', environment: 'a b', version: 'a\nb', commit: 'x' }
  expect(Object.keys(reasons(wrong))).toEqual(['message', 'environment', 'version', 'commit'])
})

const nothing = { environment: undefined, version: undefined, commit: undefined }

function parsed(fields: object) {
  const result = parseAnnouncement({ message: 'Deployed', ...fields }, { now: new Date() })
  if (result.outcome === 'invalid') throw new Error(JSON.stringify(result.reasons))
  const { environment, version, commit } = result.announcement
  return { environment, version, commit }
}

function reasons(fields: object) {
  const result = parseAnnouncement({ message: 'Deployed', ...fields }, { now: new Date() })
  return result.outcome === 'valid' ? {} : result.reasons
}
