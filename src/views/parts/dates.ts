import { dateOf, startOfDay, utcDayOf } from '../../domain/time.ts'

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

/** "12 March 2026, 14:03 UTC". */
export function instantInWords(instant: Date): string {
  return writtenInstant(instant).words
}

/** "14:03", the time of day in UTC. */
export function clockOf(instant: Date): string {
  return writtenInstant(instant).clock
}

/**
 * Writes an instant as lists do, in UTC: `timestamp` is that of timestampOf, `words` "12 March 2026, 14:03 UTC" and
 * `clock` "14:03". With the cached words of its day, which is three times as fast. Throws a RangeError as timestampOf.
 */
export function writtenInstant(instant: Date) {
  const day = utcDayOf(instant)
  const { date, words } = writtenDay(day)
  const second = Math.floor((instant.getTime() - startOfDay(day).getTime()) / 1000)
  const clock = `${twoDigits[Math.floor(second / 3600)]}:${twoDigits[Math.floor(second / 60) % 60]}`
  return { timestamp: `${date}T${clock}:${twoDigits[second % 60]}Z`, words: `${words}, ${clock} UTC`, clock }
}

const twoDigits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))

const keptDays = new Map<number, { readonly date: string; readonly words: string }>()
const maxKeptDays = 4_096

/** "2026-03-12" and "12 March 2026" for the number of a day, cached. */
function writtenDay(day: number) {
  const known = keptDays.get(day)
  if (known !== undefined) return known
  const written = { date: dateOf(day), words: dayInWords(startOfDay(day)) }
  if (keptDays.size >= maxKeptDays) keptDays.clear()
  keptDays.set(day, written)
  return written
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
