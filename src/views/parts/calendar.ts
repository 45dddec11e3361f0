/** Not Intl.DateTimeFormat: it took a quarter of the time of a profile, which names some 400 days. */
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const dayMilliseconds = 24 * 60 * 60 * 1000

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

/** "12 March 2026, 14:03:22 UTC". */
export function instantInWords(instant: Date): string {
  return `${dayInWords(instant)}, ${clockOf(instant)} UTC`
}

/** "14:03:22", the time of day in UTC. */
export function clockOf(instant: Date): string {
  return instant.toISOString().slice('2026-03-12T'.length, -'.000Z'.length)
}

function monthOf(instant: Date): string {
  return months[instant.getUTCMonth()] ?? ''
}

/** The heading of a day in a feed: "Today" (also ahead of the clock), "Yesterday", or the date. */
export function dayHeading(instant: Date, now: Date): string {
  const daysAgo = utcDay(now) - utcDay(instant)
  if (daysAgo <= 0) return 'Today'
  return daysAgo === 1 ? 'Yesterday' : dayInWords(instant)
}

function utcDay(instant: Date): number {
  return Math.floor(instant.getTime() / dayMilliseconds)
}
