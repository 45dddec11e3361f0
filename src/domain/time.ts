// Browsers run this module too (web/assets.ts), so it imports nothing.

/** Milliseconds. */
export const minute = 60 * 1000
export const hour = 60 * minute
export const day = 24 * hour
/** The mean Gregorian year, so that twelve months are exactly one year, and 30 days are less than a month. */
const year = 365.2425 * day
const month = year / 12

const units = [
  [year, 'year', 'y'],
  [month, 'month', 'mo'],
  [day, 'day', 'd'],
  [hour, 'hour', 'h'],
  [minute, 'minute', 'min'],
] as const

/** "38 minutes ago", in the largest unit that fits and rounded down; "just now" below a minute or in the future. */
export function ageInWords(then: Date, now: Date): string {
  const duration = durationInWords(now.getTime() - then.getTime())
  return duration === null ? 'just now' : `${duration} ago`
}

/** The short form for lists and badges: "38 min ago". */
export function shortAge(then: Date, now: Date): string {
  const duration = shortDuration(now.getTime() - then.getTime())
  return duration === null ? 'just now' : `${duration} ago`
}

/** A duration in the largest unit that fits, rounded down: "38 min"; null below a minute. */
export function shortDuration(milliseconds: number): string | null {
  const unit = unitOf(milliseconds)
  return unit === undefined ? null : `${Math.floor(milliseconds / unit[0])} ${unit[2]}`
}

/** The next instant at which the words of an age change. */
export function ageChangesAt(then: Date, now: Date): Date {
  const age = Math.max(0, now.getTime() - then.getTime())
  const index = units.findIndex(([length]) => age >= length)
  const [length] = units[index] ?? [minute]
  const next = (Math.floor(age / length) + 1) * length
  const [larger] = units[index - 1] ?? [next]
  return new Date(then.getTime() + Math.min(next, larger))
}

/** A duration in the largest unit that fits, rounded down: "17 hours"; null below a minute. */
export function durationInWords(milliseconds: number): string | null {
  const unit = unitOf(milliseconds)
  if (unit === undefined) return null
  const [length, name] = unit
  return withUnit(Math.floor(milliseconds / length), name)
}

function unitOf(milliseconds: number) {
  return units.find(([length]) => milliseconds >= length)
}

/** Waits of up to this length are given in minutes: "90 minutes" is clearer than "2 hours". */
const longestInMinutes = 90 * minute

/** How long to wait: "3 hours". Rounds up so that the wait is never too short. */
export function waitInWords(seconds: number): string {
  const milliseconds = seconds * 1000
  const [length, name] =
    milliseconds <= longestInMinutes ? ([minute, 'minute'] as const) : ([hour, 'hour'] as const)
  return withUnit(Math.max(1, Math.ceil(milliseconds / length)), name)
}

function withUnit(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

/** An instant as the API writes it: `2025-11-21T06:49:00Z`. Throws a RangeError for an invalid Date. */
export function timestampOf(instant: Date): string {
  return `${instant.toISOString().slice(0, -'.000Z'.length)}Z`
}

/** The number of the UTC day of an instant: whole days since 1 January 1970. */
export function utcDayOf(instant: Date): number {
  return Math.floor(instant.getTime() / day)
}

/** 0 is Monday; day 0, the first of January 1970, was a Thursday. */
export function weekdayOf(dayNumber: number): number {
  return (dayNumber + 3) % 7
}

/** The first instant of the day with this number. */
export function startOfDay(dayNumber: number): Date {
  return new Date(dayNumber * day)
}

/** The number of the UTC day that is written as 2026-11-02; null if there is none. */
export function dayOf(date: string): number | null {
  const instant = new Date(date)
  return /^\d{4}-\d\d-\d\d$/.test(date) && instant.toJSON()?.startsWith(date) ? utcDayOf(instant) : null
}

/** A day by its number as dates are written: 2026-11-02. */
export function dateOf(dayNumber: number): string {
  return startOfDay(dayNumber).toISOString().slice(0, '2026-11-02'.length)
}
