import { describe, expect, test } from 'bun:test'
import { commonPasswords } from '../../src/domain/common-passwords.ts'
import { normalizePassword, passwordReasons } from '../../src/domain/password.ts'

const common = 'is one of the commonest passwords: please choose another'
const username = 'ada-lovelace'

describe('a password', () => {
  test.each([
    ...['tulip-boat', 'a'.repeat(1024), 'ééééé', '🚀'.repeat(256), ' spaces count ', 'ada-lovelace-1815'],
    'Tr0ub4dor&3',
  ])('%j is good', (password) => expect(passwordReasons(password, username)).toEqual([]))

  test.each([
    ['must be at least 10 characters', ''],
    ['must be at least 10 characters', 'tulip-boa'],
    ['must be at least 10 characters', 'éééé.'],
    ['must be at most 1024 bytes', 'a'.repeat(1025)],
    ['must be at most 1024 bytes', 'é'.repeat(513)],
    ['must be well-formed Unicode', 'tulip-boat\ud83d'],
    ["can't be your username", 'ada-lovelace'],
    ["can't be your username", 'Ada-LOVELACE'],
    [common, 'password123'],
    [common, 'PassWord123'],
    [common, '1234567890'],
    [common, 'qwertyuiop'],
  ])('%s: %j', (reason, password) => expect(passwordReasons(password, username)).toEqual([reason]))

  test('is counted in the bytes that are hashed', () => {
    const decomposed = 'e\u0301'.repeat(512)
    expect(passwordReasons(decomposed, username)).toEqual([])
    expect(passwordReasons('e\u0301'.repeat(4), username)).toHaveLength(1)
  })

  test('is the same however its accents were typed', () => {
    expect(normalizePassword('cafe\u0301 au lait')).toBe('caf\u00e9 au lait')
    expect(normalizePassword('caf\u00e9 au lait')).toBe('caf\u00e9 au lait')
  })

  test('keeps what only looks alike apart', () => expect(normalizePassword('ﬁ ① Ａ')).toBe('ﬁ ① Ａ'))
})

describe('the commonest passwords', () => {
  test('are all ones that would be taken otherwise, as they are looked up', () => {
    expect([...commonPasswords].filter((password) => password.length < 10)).toEqual([])
    expect(
      [...commonPasswords].filter((password) => normalizePassword(password).toLowerCase() !== password),
    ).toEqual([])
  })
})
