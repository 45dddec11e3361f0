import { describe, expect, test } from 'bun:test'
import { displayNameReasons } from '../../../src/domain/account/user.ts'

const good = [
  'A',
  'Ada Lovelace',
  'Åsa 🚀',
  `Zoe${'\u0308'.repeat(4)}`,
  '李',
  'שלום',
  '👩‍💻 ❤️',
  "O'Brien <b>",
  'a'.repeat(60),
  '🚀'.repeat(60),
]

const refused: Readonly<Record<string, readonly string[]>> = {
  "can't be blank": ['', ' \u200b\n', '\u3164'],
  'must be at most 60 characters': ['a'.repeat(61), '🚀'.repeat(61)],
  "can't have more than 4 combining marks on a letter": [
    `a${'\u0301'.repeat(5)}`,
    `${'a\u0301\u0323\u20dd\u0489\u0308'}`,
  ],
  'must be one line, without tabs': [
    ...['Ada\nLovelace', 'Ada\rLovelace', 'Ada\tLovelace', 'Ada\u2028Lovelace', 'Ada\u2029Lovelace'],
  ],
  "can't contain characters that change the direction of the text": ['Ada \u202eecalevoL', 'Ada\u200f'],
  "can't contain control characters (U+0000)": ['Ada\0'],
  "can't contain control characters (U+0085)": ['Ada\u0085Lovelace'],
  "can't contain half a surrogate pair: send well-formed Unicode": ['Ada\ud83d'],
}

describe('a display name', () => {
  test('is one visible line', () => {
    for (const text of good) expect([text, displayNameReasons(text)]).toEqual([text, []])
  })

  test.each(Object.entries(refused))('%s', (reason, texts) => {
    for (const text of texts) expect([text, displayNameReasons(text)]).toEqual([text, [reason]])
  })

  test('gets all reasons at once', () =>
    expect(displayNameReasons(`${'a'.repeat(60)}\n\u202e\0\ud83d`)).toHaveLength(5))
})
