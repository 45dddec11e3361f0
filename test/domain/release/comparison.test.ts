import { describe, expect, test } from 'bun:test'
import { compareAddress } from '../../../src/domain/release/comparison.ts'
import type { Named } from '../../../src/domain/release/release.ts'

describe('the page that compares', () => {
  const [base, head] = [{ version: 'v1.0.0' }, { version: 'v1.1.0' }]

  test.each([
    ['https://github.com/Ada/Engine/pull/1', 'https://github.com/ada/engine/compare/v1.0.0...v1.1.0'],
    ['https://codeberg.org/ada/engine', 'https://codeberg.org/ada/engine/compare/v1.0.0...v1.1.0'],
    ['https://gitea.com/ada/engine', 'https://gitea.com/ada/engine/compare/v1.0.0...v1.1.0'],
    [
      'https://gitlab.com/ada/tools/engine/-/tags/v1',
      'https://gitlab.com/ada/tools/engine/-/compare/v1.0.0...v1.1.0',
    ],
    [
      'https://bitbucket.org/ada/engine/commits/1',
      'https://bitbucket.org/ada/engine/branches/compare/v1.1.0%0Dv1.0.0',
    ],
    ['https://github.com/ada/engine/tools/-/x', 'https://github.com/ada/engine/compare/v1.0.0...v1.1.0'],
    // Tags of packages.
    [
      'https://github.com/ada/engine/releases/tag/read-v1.1.0',
      'https://github.com/ada/engine/compare/v1.0.0...v1.1.0',
    ],
    [
      'https://github.com/ada/engine/releases/tag/@ada/read@1.1.0',
      'https://github.com/ada/engine/compare/v1.0.0...v1.1.0',
    ],
    [
      'https://gitlab.com/group/shop/-/tags/read-v1.2.3',
      'https://gitlab.com/group/shop/-/compare/v1.0.0...v1.1.0',
    ],
  ])('of %s', (url, address) => expect(compareAddress(url, base, head)).toBe(address))

  test.each([
    'https://github.com/ada',
    'https://git.sr.ht/~ada/engine',
    'https://git.example.com/ada/engine',
    'https://github.com.example.com/ada/engine',
    'http://constructor/ada/engine',
    null,
  ])('is not known for %s', (url) => expect(compareAddress(url, base, head)).toBeNull())

  test('is of the repository where the link leads to the tag of a package', () =>
    expect(compareAddress('https://gitlab.com/ada/tools/-/tags/read-v1.1.0', base, head)).toBe(
      'https://gitlab.com/ada/tools/-/compare/v1.0.0...v1.1.0',
    ))

  const url = 'https://github.com/ada/engine'
  const between = (one: Named, other: Named) =>
    compareAddress(url, one, other)?.replace(`${url}/compare/`, '') ?? null

  test('is of commits if both have one, otherwise of versions', () => {
    const [one, other] = [
      { ...base, commit: 'aaaaaaa' },
      { ...head, commit: 'bbbbbbb' },
    ]
    expect(between(one, other)).toBe('aaaaaaa...bbbbbbb')
    expect(between(base, other)).toBe('v1.0.0...v1.1.0')
    expect(between({ commit: 'aaaaaaa' }, head)).toBeNull()
    expect(between({}, head)).toBeNull()
  })

  test('is none of the same release', () => {
    expect(between(base, base)).toBeNull()
    expect(between({ ...base, commit: 'aaaaaaa' }, { ...head, commit: 'aaaaaaa1' })).toBeNull()
  })

  test.each([
    ['@ada/read@1.1.0', '%40ada/read%401.1.0'],
    ['2026.11+7', '2026.11%2B7'],
    ['<b>"&', '%3Cb%3E%22%26'],
    ['größer#1', 'gr%C3%B6%C3%9Fer%231'],
  ])('escapes the tag %s', (version, escaped) =>
    expect(between(base, { version })).toBe(`v1.0.0...${escaped}`),
  )

  test.each([
    'Build 7',
    'a..b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[b',
    'a\\b',
    'a@{b',
    '@',
    '-a',
    '.a',
    'a.',
    'a/',
    '/a',
  ])('knows that %p is no tag', (version) => expect(between(base, { version })).toBeNull())

  test.each(['a//b', 'a/.b', 'a.lock', 'a.lock/b'])('nor %p', (version) =>
    expect(between(base, { version })).toBeNull(),
  )
})
