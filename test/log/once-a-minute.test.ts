import { expect, test } from 'bun:test'
import { onceAMinute } from '../../src/log/log.ts'

test('the first of many is admitted, then one a minute with the number of those suppressed', () => {
  const decide = onceAMinute()
  const instants = [0, 1, 59_999, 60_000, 119_999, 120_000, 500_000]
  expect(instants.map(decide)).toEqual([0, null, null, 2, null, 1, 0])
})
