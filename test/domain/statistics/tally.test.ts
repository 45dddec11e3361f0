import { expect, test } from 'bun:test'
import { barsOf, bucketMs, countDay, lastHours } from '../../../src/domain/statistics/tally.ts'

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

test('a day begins at its midnight, and each hour has a count of its own', () => {
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

test('the last 48 hours end with the tally, and are fewer if it is shorter', () => {
  const counts = Array.from({ length: 50 * 12 }, (_, n) => (n >= 49 * 12 ? 1 : n >= 48 * 12 ? 2 : 0))
  const hours = lastHours({ from: 0, counts })
  expect([hours.length, hours.at(-1), hours.at(-2), hours.at(-3)]).toEqual([48, 12, 24, 0])
  expect(lastHours({ from: 0, counts: counts.slice(-25 * 12) }).length).toBe(25)
  expect(lastHours({ from: 0, counts: [1, 2] })).toEqual([])
})

test('the bars of hours are paths 3 wide, of which the tallest is 24 high', () => {
  expect(barsOf([0, 2, 4])).toBe('M0 23.4h3v0.6h-3zM4 12h3v12h-3zM8 0h3v24h-3z')
})
