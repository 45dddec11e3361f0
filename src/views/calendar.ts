const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const dayOfYearFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' })
const clockFormat = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' })

const dayMilliseconds = 24 * 60 * 60 * 1000

/** "12 March 2026", the day in UTC. */
export function dayInWords(instant: Date): string {
  return dayFormat.format(instant)
}

/** "12 March", the day in UTC of a year that is known. */
export function dayOfYearInWords(instant: Date): string {
  return dayOfYearFormat.format(instant)
}

/** "Mar", the month in UTC. */
export function shortMonth(instant: Date): string {
  return monthInWords(instant).slice(0, 3)
}

/** "March 2026", the month in UTC. */
export function monthInWords(instant: Date): string {
  return monthFormat.format(instant)
}

/** "12 March 2026, 14:03:22 UTC". */
export function instantInWords(instant: Date): string {
  return `${dayInWords(instant)}, ${clockFormat.format(instant)} UTC`
}

/** The heading of a day in a feed: "Today" (also for what is ahead of the clock), "Yesterday", or the date. */
export function dayHeading(instant: Date, now: Date): string {
  const daysAgo = utcDay(now) - utcDay(instant)
  if (daysAgo <= 0) return 'Today'
  return daysAgo === 1 ? 'Yesterday' : dayInWords(instant)
}

function utcDay(instant: Date): number {
  return Math.floor(instant.getTime() / dayMilliseconds)
}
