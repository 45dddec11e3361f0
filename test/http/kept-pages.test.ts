import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { endGzip, holds, type KeptPage, KeptPages, startGzip } from '../../src/http/kept-pages.ts'

const from = new Date('2026-03-01T12:00:00Z')
const until = new Date('2026-03-01T13:00:00Z')

function pageOf(bytes: number): KeptPage {
  return { start: { bytes: new Uint8Array(bytes), crc: 0, length: 0 }, etag: '', version: '1', from, until }
}

describe('Kept pages', () => {
  test('are as many as fit exactly, and the one that was used least recently goes first', () => {
    const kept = new KeptPages(3 * 2048)
    for (const key of ['a', 'b', 'c']) kept.keep(key, pageOf(1024))
    expect(kept.find('a')).toBeDefined()
    kept.keep('d', pageOf(1))
    expect(['a', 'b', 'c', 'd'].filter((key) => kept.find(key) !== undefined)).toEqual(['a', 'c', 'd'])
  })

  test('count once when they are kept again, in their new size', () => {
    const kept = new KeptPages(3 * 2048)
    for (let n = 0; n < 10; n += 1) kept.keep('a', pageOf(1024))
    kept.keep('b', pageOf(2048 + 1024))
    expect(['a', 'b'].filter((key) => kept.find(key) !== undefined)).toEqual(['a', 'b'])
    kept.keep('a', pageOf(1025))
    expect(['a', 'b'].filter((key) => kept.find(key) !== undefined)).toEqual(['a'])
  })

  test('are not kept if one alone is too large', () => {
    const kept = new KeptPages(2048)
    kept.keep('a', pageOf(1025))
    expect(kept.find('a')).toBeUndefined()
  })
})

test.each([
  ['at its first instant', '1', from, true],
  ['before it, by a clock that was set back', '1', new Date(from.getTime() - 1), false],
  ['at its last instant', '1', new Date(until.getTime() - 1), true],
  ['after it', '1', until, false],
  ['with another version', '2', from, false],
])('A page %s holds or not', (_, version, now, expected) => {
  expect(holds(pageOf(1), { version, now })).toBe(expected)
})

test('A compressed start with any end is one member of gzip, which unpacks to both', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string({ unit: 'binary' })), (text, ends) => {
      const start = startGzip(text.repeat(50))
      for (const end of ends) {
        expect(gunzipSync(endGzip(start, end)).toString()).toBe(Buffer.from(text.repeat(50) + end).toString())
      }
    }),
    { numRuns: 30 },
  )
})
