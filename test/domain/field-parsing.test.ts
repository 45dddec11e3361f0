import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  hasBidiControl,
  isBlank,
  storageProblems,
  textProblems,
  urlOf,
  withControlPictures,
} from '../../src/domain/field-parsing.ts'
import { type LinkParts, readLink } from '../../src/domain/target.ts'

const blank: [string, string][] = [
  ['nothing', ''],
  ['spaces and line breaks', ' \t\r\n\u3000\u00a0\u2028'],
  ['a zero-width space', '\u200b'],
  ['a zero-width joiner', '\u200d'],
  ['a word joiner', '\u2060'],
  ['a byte order mark', '\ufeff'],
  ['a soft hyphen', '\u00ad'],
  ['Hangul fillers', '\u115f\u1160\u3164\uffa0'],
  ['the Braille blank', '\u2800'],
  ['the null notehead', '\u{1d159}'],
  ['variation selectors', '\ufe0f\u{e0100}'],
  ['tag characters', '\u{e0041}\u{e007f}'],
  ['annotation marks', '\ufff9\ufffa\ufffb'],
  ['bidi controls', '\u202e\u2066\u200f'],
  ['control characters', '\0\u0007\u0085'],
]

const visible: [string, string][] = [
  ['a letter', 'a'],
  ['a letter between fillers', '\u3164a\u200b'],
  ['an emoji with a variation selector', '❤️'],
  ['an emoji with joiners', '👩‍💻'],
  ['a flag of tags', '🏴\u{e0067}\u{e0062}\u{e007f}'],
  ['a Braille letter', '\u2801'],
  ['a full stop', '.'],
  ['the end of an ayah', '\u06dd'],
]

describe('a blank text', () => {
  test.each(blank)('is %s', (_, text) => expect(isBlank(text)).toBeTrue())
  test.each(visible)('is not %s', (_, text) => expect(isBlank(text)).toBeFalse())
})

describe('the problems of a text', () => {
  test.each(['', 'plain', 'tab\tand\r\nlines\n', '❤️ 👩‍💻', '\u202e', '\u00a0'])('%j has none', (text) =>
    expect(textProblems(text)).toEqual([]),
  )

  test.each([
    ['\0', 'U+0000'],
    ['a\u0008', 'U+0008'],
    ['\u000b', 'U+000B'],
    ['\u000c', 'U+000C'],
    ['\u000e', 'U+000E'],
    ['\u001b[31m', 'U+001B'],
    ['\u001f', 'U+001F'],
    ['\u007f', 'U+007F'],
    ['\u0085', 'U+0085'],
    ['\u009f', 'U+009F'],
    ['fine\tuntil\u0007\0', 'U+0007'],
  ])('%j is refused with the name of its first control character, %s', (text, name) =>
    expect(textProblems(text)).toEqual([`can't contain control characters (${name})`]),
  )

  test.each(['\ud83d', 'a\udc00', '\udc00\ud83d'])('%j is refused for its lone surrogate', (text) =>
    expect(textProblems(text)).toEqual(["can't contain half a surrogate pair: send well-formed Unicode"]),
  )

  test('are all reported', () => expect(textProblems('\0\ud83d')).toHaveLength(2))
})

test('any text can be stored unless it has a NUL or half a surrogate pair', () => {
  expect(storageProblems('\u0001\u0007\u001b\u007f\u0085\u009f\ufffe 👩‍💻')).toEqual([])
  expect(storageProblems('a\0\ud83d')).toEqual([
    "can't contain a NUL character (U+0000)",
    "can't contain half a surrogate pair: send well-formed Unicode",
  ])
})

test('control characters are shown as pictures; text and line ends stay', () => {
  expect(withControlPictures('\u0001\u001b[1m\u001f\u007f')).toBe('␁␛[1m␟␡')
  expect(withControlPictures('\u0080\u0085\u009f')).toBe('\ufffd\ufffd\ufffd')
  const text = 'a\tb\r\nc\rd\n é 🚀 \u00a0'
  expect(withControlPictures(text)).toBe(text)
})

describe('a bidi control', () => {
  test.each(['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'])('is %j', (control) =>
    expect(hasBidiControl(`a${control}b`)).toBeTrue(),
  )
  test.each(['שלום', 'مرحبا', '\u200d', '\u2065', '\u206a', '\u2029'])('is not in %j', (text) =>
    expect(hasBidiControl(text)).toBeFalse(),
  )
})

test('an address that needs no rewriting is read as URL.parse reads it', () => {
  const pieces = fc.array(
    fc.constantFrom(
      ...[
        'a',
        'B',
        'ö',
        '1',
        '0x7f',
        'xn--',
        'xn--nxasmq6b',
        '-',
        '_',
        '~',
        '.',
        '..',
        '/',
        '//',
        ':',
        ':80',
        ':443',
      ],
      ...[
        '@',
        '?',
        '#',
        '%41',
        '%2e',
        '\\',
        ' ',
        '\t',
        '[::1]',
        'com',
        'www.',
        '\u0301',
        '\u00ad',
        '|',
        '*',
        "'",
        '&',
      ],
    ),
    { maxLength: 8 },
  )
  const link = fc.tuple(
    fc.constantFrom('http://', 'https://', 'HTTPS://', 'https:/', ''),
    fc.constantFrom('github.com', 'ada.dev', ''),
    pieces,
  )
  const read = ({ host, hostname, pathname, username, password }: LinkParts) => ({
    ...{ host, hostname, pathname, username, password },
  })
  fc.assert(
    fc.property(link, ([scheme, host, rest]) => {
      const text = scheme + host + rest.join('')
      const [ours, theirs] = [readLink(text), urlOf(text)]
      expect(ours && read(ours)).toEqual(theirs && read(theirs))
    }),
    { numRuns: 20_000 },
  )
})
