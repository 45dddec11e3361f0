import { expect, test } from 'bun:test'
import { onceAMinute } from '../../src/log/log.ts'

test('the first of many events is written, then one a minute with the number of those left out', () => {
  let now = 0
  const lines: unknown[] = []
  const log = onceAMinute(
    (_, facts) => lines.push(facts),
    () => now,
  )
  for (now of [0, 1, 59_999, 60_000, 119_999, 120_000, 500_000]) log('unavailable', { now })
  expect(lines).toEqual([
    { now: 0 },
    { now: 60_000, alikeSinceTheLast: 2 },
    { now: 120_000, alikeSinceTheLast: 1 },
    { now: 500_000 },
  ])
})
