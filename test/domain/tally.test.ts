import { expect, test } from 'bun:test'
import { bucketMs, countDay } from '../../src/domain/tally.ts'

const hour = 60 * 60 * 1000
const midnight = Date.UTC(2026, 2, 12)
const bounds = {
  hours: Array.from({ length: 25 }, (_, n) => midnight + n * hour),
  yesterday: midnight - 24 * hour,
  yesterdayNow: midnight - 24 * hour + 14 * hour + 3 * 60_000,
}

/** A tally from some hours before midnight to some hours after, with one deployment at each of these instants. */
function tallyOf(hoursBefore: number, ...instants: number[]) {
  const from = midnight - hoursBefore * hour
  const counts = Array<number>((hoursBefore * hour + 15 * hour) / bucketMs).fill(0)
  for (const instant of instants) {
    const bucket = Math.floor((instant - from) / bucketMs)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return { from, counts }
}

test('a day begins at its midnight, and each hour has its own', () => {
  const tally = tallyOf(
    26,
    midnight - 1,
    midnight,
    midnight + hour - 1,
    midnight + hour,
    midnight + 14 * hour,
  )
  const { today, hours } = countDay(tally, bounds)
  expect(today).toBe(4)
  expect(hours).toEqual([2, 1, ...Array(12).fill(0), 1, ...Array(9).fill(0)])
})

test('yesterday is counted from midnight to the present 5 minutes', () => {
  const yesterday = midnight - 24 * hour
  const now = yesterday + 14 * hour
  const tally = tallyOf(26, yesterday - 1, yesterday, now + 4 * 60_000, now + 5 * 60_000)
  expect(countDay(tally, bounds).yesterdayByNow).toBe(2)
})

test('there is no count of yesterday if the tally starts after its midnight', () => {
  expect(countDay(tallyOf(24), bounds).yesterdayByNow).toBe(0)
  expect(countDay(tallyOf(23), bounds).yesterdayByNow).toBeNull()
})
