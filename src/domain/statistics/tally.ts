// Browsers also run this module, to count the days of their own zone, so it imports nothing.

/** 5 minutes, so that in every time zone each hour, and so each midnight, is the start of a bucket. */
export const bucketMs = 5 * 60 * 1000

/** Two days, one of which may have 25 hours, and a little more. */
export const tallyMs = 50 * 60 * 60 * 1000

/** The number of deployments in each bucket from an instant on, in milliseconds since 1970. */
export type Tally = { readonly from: number; readonly counts: readonly number[] }

/** The bounds of a day, in milliseconds: each hour starts at one of `hours`, and the day ends at the last. */
type DayBounds = {
  readonly hours: readonly number[]
  readonly yesterday: number
  readonly yesterdayNow: number
}

/** `yesterdayByNow` ends at the same time, rounded up to a whole bucket; null if the tally does not reach that far. */
export function countDay(tally: Tally, { hours, yesterday, yesterdayNow }: DayBounds) {
  const perHour = hours.slice(1).map((end, n) => countBetween(tally, hours[n] ?? end, end))
  return {
    today: sumOf(perHour),
    yesterdayByNow: yesterday < tally.from ? null : countBetween(tally, yesterday, yesterdayNow),
    hours: perHour,
  }
}

function countBetween({ from, counts }: Tally, first: number, end: number): number {
  const begin = Math.max(0, Math.floor((first - from) / bucketMs))
  return sumOf(counts.slice(begin, Math.max(begin, Math.ceil((end - from) / bucketMs))))
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/** The height of an hour's bar, at most 24. Even one deployment makes it visibly taller than none. */
export function barHeight(count: number, most: number): number {
  return count === 0 ? 0.6 : Math.max(1.5, (24 * count) / most)
}

/** The deployments in each of the last 48 hours of a tally, or in fewer if it does not reach back that far. */
export function lastHours({ counts }: Tally): readonly number[] {
  const perHour = (60 * 60 * 1000) / bucketMs
  const hours: number[] = []
  for (let end = counts.length; end >= perHour && hours.length < 48; end -= perHour) {
    hours.unshift(sumOf(counts.slice(end - perHour, end)))
  }
  return hours
}

/** One bar for each hour as path data, in a box of 24 in height in which an hour is 4 wide. */
export function barsOf(hours: readonly number[]): string {
  const most = Math.max(1, ...hours)
  return hours
    .map((count, n) => {
      const height = Math.round(10 * barHeight(count, most)) / 10
      return `M${n * 4} ${Math.round(240 - 10 * height) / 10}h3v${height}h-3z`
    })
    .join('')
}
