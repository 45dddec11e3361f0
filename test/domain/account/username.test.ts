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
    ['a'.repeat(40), 'these are 40'],
    ['-ada', 'one of its hyphens is not'],
    ['ada-', 'one of its hyphens is not'],
    ['a--b', 'one of its hyphens is not'],
    ['a_b', '“_” is none of these'],
    ['a.b', '“.” is none of these'],
    ['a b', 'there is a space in it'],
    [' ada', 'there is a space in it'],
    ['ada\n', 'something in it is not seen'],
    ['a%', '“%” is none of these'],
    ['../a', '“.” is none of these'],
    ['a\0', 'something in it is not seen'],
    ['a\u202eb', 'something in it is not seen'],
    ['ådа', '“å” is none of these'],
    ['👩‍🚀', '“👩” is none of these'],
    // Kelvin sign and dotless i: both fold into ASCII.
    ['\u212aim', '“\u212a” is none of these'],
    ['ad\u0131', '“\u0131” is none of these'],
    ['ａda', '“ａ” is none of these'],
  ])('%j is not spelled like one, which says why', (text, why) => {
    expect(usernameOf(text)).toBeNull()
    expect(usernameReasons(text)).toEqual([`${spelling}: ${why}`])
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
