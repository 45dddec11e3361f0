import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { reservedUsernames, usernameOf, usernameReasons } from '../../../src/domain/account/user.ts'

const spelling = 'use letters (a–z), digits and single hyphens'

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
    ['a'.repeat(40), 'must have at most 39 characters: these are 40'],
    ['-ada', 'must have single hyphens, each between letters or digits'],
    ['ada-', 'must have single hyphens, each between letters or digits'],
    ['a--b', 'must have single hyphens, each between letters or digits'],
    ['a_b', `“_” isn't allowed: ${spelling}`],
    ['a.b', `“.” isn't allowed: ${spelling}`],
    ['a b', `spaces aren't allowed: ${spelling}`],
    [' ada', `spaces aren't allowed: ${spelling}`],
    ['ada\n', `invisible characters aren't allowed: ${spelling}`],
    ['a%', `“%” isn't allowed: ${spelling}`],
    ['../a', `“.” isn't allowed: ${spelling}`],
    ['a\0', `invisible characters aren't allowed: ${spelling}`],
    ['a\u202eb', `invisible characters aren't allowed: ${spelling}`],
    ['ådа', `“å” isn't allowed: ${spelling}`],
    ['👩‍🚀', `“👩” isn't allowed: ${spelling}`],
    // The Kelvin sign and the dotless i, which both fold to ASCII.
    ['\u212aim', `“\u212a” isn't allowed: ${spelling}`],
    ['ad\u0131', `“\u0131” isn't allowed: ${spelling}`],
    ['ａda', `“ａ” isn't allowed: ${spelling}`],
  ])('%j is refused with the reason', (text, why) => {
    expect(usernameOf(text)).toBeNull()
    expect(usernameReasons(text)).toEqual([why])
  })

  test.each(['', ' ', '\u200b'])('%j is blank', (text) => {
    expect(usernameOf(text)).toBeNull()
    expect(usernameReasons(text)).toEqual(["can't be blank"])
  })

  test('stays the same when it is read again', () => {
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

  test('is listed in the form in which it would be stored', () => {
    expect([...reservedUsernames].filter((name) => usernameOf(name) !== name)).toEqual([])
    expect(reservedUsernames.size).toBeGreaterThan(200)
  })

  test.each(['ada', 'adminton', 'api-2', 'rooted'])('%s is not', (text) =>
    expect(usernameReasons(text)).toEqual([]),
  )
})
