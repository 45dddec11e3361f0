import { describe, expect, test } from 'bun:test'
import {
  commonPasswords,
  commonWords,
  normalizePassword,
  passwordReasons,
} from '../../../src/domain/account/password.ts'

const common = 'is too easy to guess: try a few unrelated words'
const username = 'ada-lovelace'
const baseUrl = 'https://ship.initech.example'
const tooCommon = (password: string): [string, string] => [common, password]

describe('a password', () => {
  test.each([
    ...['tulip-boat', `tulip-${'ab'.repeat(509)}`, 'éàéèé', `tulip+${'🚀'.repeat(254)}`, ' spaces count '],
    ...['Tr0ub4dor&3', 'correct horse battery', 'ship it every day', 'my dog eats passwords', 'jkzqgpvwxm'],
    ...['summer of 69 in Kyiv', 'lovelace-engine', 'monday we deploy nothing', '4815162342'],
  ])('%j is accepted', (password) => expect(passwordReasons(password, username, baseUrl)).toEqual([]))

  test.each([
    ['must be at least 10 characters', ''],
    ['must be at least 10 characters', 'tulip-boa'],
    ['must be at least 10 characters', 'éàéè.'],
    ['must be at most 1024 bytes', `tulip-${'ab'.repeat(510)}`],
    ['must be at most 1024 bytes', `tulip-${'é'.repeat(510)}`],
    ['must be well-formed Unicode', 'tulip-boat\ud83d'],
    ["can't be your username", 'ada-lovelace'],
    ["can't be your username", 'Ada-LOVELACE'],
    [common, 'password123'],
    [common, 'PassWord123'],
    [common, '1234567890'],
    [common, 'qwertyuiop'],
    ...['Passw0rd!!', 'P@$$w0rd2026', 'Summer2026!', 'shipfeed123', '!welcome99!', 'iloveyou-2024'].map(
      tooCommon,
    ),
    ...[
      'monkeydragon',
      'admin-admin',
      'loveloveLove1',
      'Deploy.Pipeline7',
      'ada-lovelace1',
      'AdaLovelace!',
    ].map(tooCommon),
    ...['Company2026!', 'Initech2026!', 'initech-ship'].map(tooCommon),
    ...['..........', 'abcabcabcabc', 'qwerty123456', '123qweasdzxc', 'zyxwvutsrq', 'aaaabbbbcccc'].map(
      tooCommon,
    ),
  ])('%s: %j', (reason, password) => expect(passwordReasons(password, username, baseUrl)).toEqual([reason]))

  test('is measured by the bytes that are hashed', () => {
    const decomposed = `tulip-${'e\u0301'.repeat(509)}`
    expect(passwordReasons(decomposed, username, baseUrl)).toEqual([])
    expect(passwordReasons('e\u0301a\u0300e\u0301', username, baseUrl)).toHaveLength(1)
  })

  test('is the same for all ways to type its accents', () => {
    expect(normalizePassword('cafe\u0301 au lait')).toBe('caf\u00e9 au lait')
    expect(normalizePassword('caf\u00e9 au lait')).toBe('caf\u00e9 au lait')
  })

  test('ignores combining marks beyond 4 on a letter', () => {
    expect(normalizePassword(`a${'\u0316'.repeat(4)}bc`)).toBe(`a${'\u0316'.repeat(4)}bc`)
    expect(normalizePassword(`a${'\u0316'.repeat(5)}bc`)).toBe(`a${'\u0316'.repeat(4)}bc`)
  })

  test('keeps lookalikes apart', () => expect(normalizePassword('ﬁ ① Ａ')).toBe('ﬁ ① Ａ'))
})

describe('the most common passwords', () => {
  test('are in lower case, and would be accepted if they were not listed', () => {
    expect([...commonPasswords].filter((password) => password.length < 10)).toEqual([])
    expect(
      [...commonPasswords].filter((password) => normalizePassword(password).toLowerCase() !== password),
    ).toEqual([])
  })
})

test('more than 3,000 of the first guesses of attackers are refused', () => {
  const around = [
    '1',
    '12',
    '123',
    '1234',
    '12345',
    '123456',
    '!',
    '1!',
    '2024',
    '2025',
    '2026',
    '!!!',
    '99',
    '007',
  ]
  const tried = [...commonWords]
    .flatMap((word) => around.map((end) => word + end))
    .filter(({ length }) => length >= 10)
  expect(tried.length).toBeGreaterThan(2_000)
  expect(tried.filter((password) => passwordReasons(password, username, baseUrl).length === 0)).toEqual([])
  const doubled = [...commonWords].map((word) => `${word}-${word}`).filter(({ length }) => length >= 10)
  expect(doubled.filter((password) => passwordReasons(password, username, baseUrl).length === 0)).toEqual([])
})
