import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { parseIdempotencyKey } from '../../../src/domain/announcement/idempotency-key.ts'

const refused = {
  outcome: 'invalid',
  reasons: ['Idempotency-Key must be 1 to 255 visible ASCII characters, quoted or bare'],
} as const

describe('an Idempotency-Key', () => {
  test('is optional', () => expect(parseIdempotencyKey(null)).toEqual({ outcome: 'valid', value: null }))

  test.each([
    ['a', 'a'],
    ['"a"', 'a'],
    ['acme/web:123:deploy', 'acme/web:123:deploy'],
    ['"acme/web:123:deploy"', 'acme/web:123:deploy'],
    ['!', '!'],
    ['~', '~'],
    ['a"b', 'a"b'],
    ['a\\b', 'a\\b'],
    ['a"', 'a"'],
    ['"a\\"b"', 'a"b'],
    ['"a\\\\b"', 'a\\b'],
    ['"\\""', '"'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`"${'x'.repeat(255)}"`, 'x'.repeat(255)],
    [`"${'\\"'.repeat(255)}"`, '"'.repeat(255)],
  ])('%s is the key %s', (header, key) =>
    expect(parseIdempotencyKey(header)).toEqual({ outcome: 'valid', value: key }),
  )

  test.each([
    ...['', '""', '"', '"a', '"a"b', '"a";p=1', '"a\\"', '"a\\b"', 'a b', '"a b"', 'a, b', 'a\tb', 'a\u007f'],
    ...['å', '🚀', 'x'.repeat(256), `"${'x'.repeat(256)}"`],
  ])('%j is refused', (header) => expect(parseIdempotencyKey(header)).toEqual(refused))

  test('is the same key quoted and bare', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/), (key) => {
        const quoted = `"${key.replace(/["\\]/g, '\\$&')}"`
        expect(parseIdempotencyKey(key)).toEqual({ outcome: 'valid', value: key })
        expect(parseIdempotencyKey(quoted)).toEqual({ outcome: 'valid', value: key })
      }),
    )
  })
})
