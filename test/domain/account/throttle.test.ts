import { expect, test } from 'bun:test'
import { secondsUntilFree } from '../../../src/domain/account/throttle.ts'

const hour = 3_600_000
const now = 100 * hour
const twoAnHour = { most: 2, hours: 1 }

test.each([
  ['none before', [], null],
  ['one before', [now], null],
  ['as many as may be', [now - 1_000, now], 3_599],
  ['the first of them an hour old', [now - hour, now], null],
  ['the first of them a millisecond younger', [now - hour + 1, now], 1],
  ['more than may be, as with a limit that was lowered', [now - 9_000, now - 5_000, now], 3_595],
  ['one of a clock that was ahead', [now, now + 1_000], 3_600],
] as const)('with %s', (_, attempts, seconds) => {
  expect(secondsUntilFree(attempts, twoAnHour, now)).toBe(seconds)
})
