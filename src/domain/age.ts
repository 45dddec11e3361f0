const minute = 60 * 1000
const hour = 60 * minute
const day = 24 * hour
/** The mean Gregorian year: twelve months are then exactly one year, and 30 days are not yet a month. */
const year = 365.2425 * day
const month = year / 12

const units = [
  [year, 'year'],
  [month, 'month'],
  [day, 'day'],
  [hour, 'hour'],
  [minute, 'minute'],
] as const

/**
 * How long ago something was, in English and in the largest unit that fits, rounded down: "38 minutes ago".
 * Below a minute, and ahead of the clock, it is "just now". No locale takes part.
 */
export function ageInWords(then: Date, now: Date): string {
  const duration = durationInWords(now.getTime() - then.getTime())
  return duration === null ? 'just now' : `${duration} ago`
}

/** Milliseconds in the largest unit that fits, rounded down: "17 hours"; null below a minute. */
export function durationInWords(milliseconds: number): string | null {
  const unit = units.find(([length]) => milliseconds >= length)
  if (unit === undefined) return null
  const [length, name] = unit
  const count = Math.floor(milliseconds / length)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
