/** We do not use Intl.DateTimeFormat: it took a quarter of the time of a profile, which names about 400 days. */
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

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

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

/** "12 March 2026, 14:03 UTC". */
export function instantInWords(instant: Date): string {
  return `${dayInWords(instant)}, ${clockOf(instant)} UTC`
}

/** "14:03", the time of day in UTC. */
export function clockOf(instant: Date): string {
  return instant.toISOString().slice('2026-03-12T'.length, -':00.000Z'.length)
}

function monthOf(instant: Date): string {
  return months[instant.getUTCMonth()] ?? ''
}

/** "Today, Thursday 12 March"; also "Yesterday, …". A day ahead of the clock counts as today. */
export function dayHeading(instant: Date, now: Date): string {
  const daysAgo = utcDay(now) - utcDay(instant)
  if (daysAgo > 1) return weekdayInWords(instant, now)
  return daysAgo === 1
    ? `Yesterday, ${weekdayInWords(instant, now)}`
    : `Today, ${weekdayInWords(daysAgo < 0 ? now : instant, now)}`
}

/** "Thursday 12 March", with its year if that is not the present one. */
export function weekdayInWords(instant: Date, now: Date): string {
  const isThisYear = instant.getUTCFullYear() === now.getUTCFullYear()
  const day = isThisYear ? dayOfYearInWords(instant) : dayInWords(instant)
  return `${weekdays[instant.getUTCDay()]} ${day}`
}

function utcDay(instant: Date): number {
  return Math.floor(instant.getTime() / dayMilliseconds)
}
