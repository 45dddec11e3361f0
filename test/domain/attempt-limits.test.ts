import { expect, test } from 'bun:test'
import { networkOf, secondsUntilFree } from '../../src/domain/attempt-limits.ts'

const hour = 3_600_000
const now = 100 * hour
const twoAnHour = { max: 2, hours: 1 }

test.each([
  ['none before', [], null],
  ['one before', [now], null],
  ['as many as may be', [now - 1_000, now], 3_599],
  ['the first of them an hour old', [now - hour, now], null],
  ['the first of them a millisecond younger', [now - hour + 1, now], 1],
  ['more than may be, as with a limit that was lowered', [now - 9_000, now - 5_000, now], 3_595],
  ['one of a statement at the same time', [now, now + 60_000], 3_600],
  ['two of statements at the same time', [now + 1, now + 60_000], 3_600],
  ['one of a clock that was ahead', [now, now + 60_001], null],
  ['some of a clock that was days ahead', [now + 50 * hour, now + 51 * hour, now + 51 * hour], null],
] as const)('an attempt is free at once or after a wait, with %s', (_, attempts, seconds) => {
  expect(secondsUntilFree(attempts, twoAnHour, now)).toBe(seconds)
})

test.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:7:1::/64', '2001:db8:7::/48'],
  ['2001:db8:0:0::/64', '2001:db8:0::/48'],
])('%s is in the network %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
