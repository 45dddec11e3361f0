// The browser counts the days of its own zone with this module too, so it imports nothing.

/** Every zone's midnight, and every hour, begins one of these: 5 minutes. */
export const bucketMs = 5 * 60 * 1000

/** What two days, of which one may have 25 hours, and a bucket need. */
export const tallyMs = 50 * 60 * 60 * 1000

/** How many deployments there were in each 5 minutes from an instant on, in milliseconds since 1970. */
export type Tally = { readonly from: number; readonly counts: readonly number[] }

/** What a wallboard says of a day: until now, until this time on the day before, and in each of its hours. */
export type DayCount = {
  readonly today: number
  /** Null if the tally does not reach back so far. */
  readonly yesterdayByNow: number | null
  readonly hours: readonly number[]
}

/** The instants that a day is counted by, in milliseconds: its hours begin at each, and it ends at the last. */
export type DayBounds = {
  readonly hours: readonly number[]
  readonly yesterday: number
  readonly yesterdayNow: number
}

/** Counts a day; yesterday by the whole 5 minutes that its time of day falls in. */
export function countDay(tally: Tally, { hours, yesterday, yesterdayNow }: DayBounds): DayCount {
  const perHour = hours.slice(1).map((end, n) => countBetween(tally, hours[n] ?? end, end))
  return {
    today: perHour.reduce((sum, count) => sum + count, 0),
    yesterdayByNow: yesterday < tally.from ? null : countBetween(tally, yesterday, yesterdayNow),
    hours: perHour,
  }
}

function countBetween({ from, counts }: Tally, first: number, end: number): number {
  const begin = Math.max(0, Math.floor((first - from) / bucketMs))
  return counts
    .slice(begin, Math.max(begin, Math.ceil((end - from) / bucketMs)))
    .reduce((sum, count) => sum + count, 0)
}

/** The height of an hour's bar of at most 24: one that is not zero can be told from none. */
export function barHeight(count: number, most: number): number {
  return count === 0 ? 0.6 : Math.max(1.5, (24 * count) / most)
}
