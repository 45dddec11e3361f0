import { describe, expect, test } from 'bun:test'
import { displayNameReasons } from '../../src/domain/user.ts'

describe('a display name', () => {
  test.each([
    'A',
    'Ada Lovelace',
    'Åsa 🚀',
    '李',
    'שלום',
    '👩‍💻 ❤️',
    "O'Brien <b>",
    'a'.repeat(60),
    '🚀'.repeat(60),
  ])('%s is good', (text) => expect(displayNameReasons(text)).toEqual([]))

  test.each([
    ["can't be blank", ''],
    ["can't be blank", ' \u200b\n'],
    ["can't be blank", '\u3164'],
    ['must be at most 60 characters', 'a'.repeat(61)],
    ['must be at most 60 characters', '🚀'.repeat(61)],
    ['must be one line, without tabs', 'Ada\nLovelace'],
    ['must be one line, without tabs', 'Ada\rLovelace'],
    ['must be one line, without tabs', 'Ada\tLovelace'],
    ['must be one line, without tabs', 'Ada\u2028Lovelace'],
    ['must be one line, without tabs', 'Ada\u2029Lovelace'],
    ["can't contain characters that change the direction of the text", 'Ada \u202eecalevoL'],
    ["can't contain characters that change the direction of the text", 'Ada\u200f'],
    ["can't contain control characters (U+0000)", 'Ada\0'],
    ["can't contain control characters (U+0085)", 'Ada\u0085Lovelace'],
    ["can't contain half a surrogate pair: send well-formed Unicode", 'Ada\ud83d'],
  ])('%s: %j', (reason, text) => expect(displayNameReasons(text)).toEqual([reason]))

  test('is told all that is wrong with it', () =>
    expect(displayNameReasons(`${'a'.repeat(60)}\n\u202e\0\ud83d`)).toHaveLength(5))
})
