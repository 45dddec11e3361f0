import { timestampOf, utcDayOf } from '../../domain/time.ts'

/** We do not use Intl.DateTimeFormat: it took a quarter of the time of a profile, which names about 400 days. */
const months = 'January February March April May June July August September October November December'.split(
  ' ',
)
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** "12 March 2026", the day in UTC. */
export function dayInWords(instant: Date): string {
  return `${dayOfYearInWords(instant)} ${instant.getUTCFullYear()}`
}

/** "12 March", the day in UTC without its year. */
export function dayOfYearInWords(instant: Date): string {
  return `${instant.getUTCDate()} ${monthOf(instant)}`
}

/** "Mar", the month in UTC. */
export function shortMonth(instant: Date): string {
  return monthOf(instant).slice(0, 3)
}

/** "March 2026", the month in UTC. */
export function monthInWords(instant: Date): string {
  return `${monthOf(instant)} ${instant.getUTCFullYear()}`
}

function monthOf(instant: Date): string {
  return months[instant.getUTCMonth()] ?? ''
}

/** "12 March 2026, 14:03 UTC". Throws a RangeError as timestampOf. */
export function instantInWords(instant: Date): string {
  return `${dayInWords(instant)}, ${clockOf(instant)} UTC`
}

/** "14:03", the time of day in UTC. */
export function clockOf(instant: Date): string {
  return timestampOf(instant).slice(-'14:03:22Z'.length, -':22Z'.length)
}

/** "Today, Thursday 12 March"; also "Yesterday, …". A day ahead of the clock counts as today. */
export function dayHeading(instant: Date, now: Date): string {
  const daysAgo = utcDayOf(now) - utcDayOf(instant)
  const day = weekdayInWords(daysAgo < 0 ? now : instant, now)
  if (daysAgo > 1) return day
  return `${daysAgo === 1 ? 'Yesterday' : 'Today'}, ${day}`
}

/** "Thursday 12 March", with its year if that is not the present one. */
export function weekdayInWords(instant: Date, now: Date): string {
  const isThisYear = instant.getUTCFullYear() === now.getUTCFullYear()
  const day = isThisYear ? dayOfYearInWords(instant) : dayInWords(instant)
  return `${weekdays[instant.getUTCDay()]} ${day}`
}
