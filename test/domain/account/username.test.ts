import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { reservedUsernames, usernameOf, usernameReasons } from '../../../src/domain/account/username.ts'

const spelling = 'must be 1 to 39 letters (a–z) and digits, with single hyphens between them'

describe('a username', () => {
  test.each([
    ['ada', 'ada'],
    ['Ada-Lovelace', 'ada-lovelace'],
    ['a', 'a'],
    ['7', '7'],
    ['a-1-b', 'a-1-b'],
    ['A'.repeat(39), 'a'.repeat(39)],
  ])('%s is %s', (text, username) => {
    expect(usernameOf(text)).toBe(username)
    expect(usernameReasons(text)).toEqual([])
  })

  test.each([
    'a'.repeat(40),
    '-ada',
    'ada-',
    'a--b',
    'a_b',
    'a.b',
    'a b',
    ' ada',
    'ada\n',
    'a%',
    '../a',
    'a\0',
    'ådа',
    // Kelvin sign and dotless i: both fold into ASCII.
    '\u212aim',
    'ad\u0131',
    'ａda',
  ])('%j is not spelled like one', (text) => {
    expect(usernameOf(text)).toBeNull()
    expect(usernameReasons(text)).toEqual([spelling])
  })

  test.each(['', ' ', '\u200b'])('%j is blank', (text) => {
    expect(usernameOf(text)).toBeNull()
    expect(usernameReasons(text)).toEqual(["can't be blank"])
  })

  test('is the same when it is read again', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9]{1,12}(-[A-Za-z0-9]{1,12}){0,2}$/), (text) => {
        const username = usernameOf(text)
        return (
          username !== null &&
          usernameOf(username) === username &&
          usernameOf(username.toUpperCase()) === username
        )
      }),
    )
  })
})

describe('a reserved username', () => {
  const firstSegments = [
    ...['api', 'badge', 'feed', 'sign-up', 'sign-in', 'sign-out', 'settings', 'docs', 'healthz', 'readyz'],
    'assets',
  ]
  const dangerous = [
    ...['admin', 'root', 'null', 'undefined', 'www', 'well-known', 'favicon', 'robots', 'ghost', 'me'],
    'mail',
  ]

  test.each([...firstSegments, ...dangerous, 'Admin', 'SIGN-UP'])('%s is refused', (text) =>
    expect(usernameReasons(text)).toEqual(['is reserved: please choose another']),
  )

  test('is spelled as it would be stored', () => {
    expect([...reservedUsernames].filter((name) => usernameOf(name) !== name)).toEqual([])
    expect(reservedUsernames.size).toBeGreaterThan(200)
  })

  test.each(['ada', 'adminton', 'api-2', 'rooted'])('%s is not', (text) =>
    expect(usernameReasons(text)).toEqual([]),
  )
})
