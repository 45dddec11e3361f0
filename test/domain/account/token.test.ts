import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isToken, tokenFrom, tokensIn } from '../../../src/domain/account/token.ts'

/** Computed with Python: int.from_bytes(…) % 62**30 in base62, and zlib.crc32 of those digits. */
const vectors: [string, string][] = [
  ['00'.repeat(32), 'ship_0000000000000000000000000000002C8GjS'],
  ['ff'.repeat(32), 'ship_L1YmHWZWm8LLG7HjnuCA2j5rOw8Xp13ognN7'],
  [
    '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    'ship_CTQj2uNU3MFagCXG9LRKRcwGkBIDlf2PsEUb',
  ],
  [`${'00'.repeat(31)}01`, 'ship_000000000000000000000000000001010Ohw'],
  // 62^30 - 1 and 62^30: the largest secret, and then the first one again.
  [
    '000000000000000000062c32999eb5a551673bedde72be72453a32103fffffff',
    'ship_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz4IlJEz',
  ],
  [
    '000000000000000000062c32999eb5a551673bedde72be72453a321040000000',
    'ship_0000000000000000000000000000002C8GjS',
  ],
  // 938: a checksum with two leading zeros.
  [`${'00'.repeat(30)}03aa`, 'ship_0000000000000000000000000000F800PAtE'],
]

const token = 'ship_CTQj2uNU3MFagCXG9LRKRcwGkBIDlf2PsEUb'

describe('a token', () => {
  test.each(vectors)('made from %s is %s', (hex, expected) => {
    expect(tokenFrom(Uint8Array.fromHex(hex))).toBe(expected)
    expect(isToken(expected)).toBeTrue()
  })

  test('made from any 32 bytes is valid and has 41 characters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (random) => {
        const made = tokenFrom(random)
        return isToken(made) && made.length === 41
      }),
    )
  })

  test.each([0, 16, 31, 33])('is not made from %d bytes', (length) =>
    expect(() => tokenFrom(new Uint8Array(length))).toThrow(RangeError),
  )
})

describe('a text that is not a token', () => {
  test('is any token with a changed digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 40 }), fc.stringMatching(/^[0-9A-Za-z]$/), (index, digit) => {
        fc.pre(token[index] !== digit)
        expect(isToken(token.slice(0, index) + digit + token.slice(index + 1))).toBeFalse()
      }),
    )
  })

  test.each([
    '',
    'ship_',
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.slice('ship_'.length),
    token.replace('ship_', 'ghp_'),
    token.replace('ship_', 'SHIP_'),
    token.replace('C', '-'),
    token.toLowerCase(),
  ])('is %j', (text) => expect(isToken(text)).toBeFalse())
})

test('tokens are found in a text by their form and checksum', () => {
  expect(tokensIn(`curl -H "Authorization: Bearer ${token}"\n${token},${token.slice(0, -1)}_`)).toEqual([
    token,
    token,
  ])
})
