import { daysInOverview } from '../../domain/statistics/overview.ts'
import { dateOf, startOfDay, weekdayOf } from '../../domain/time.ts'
import { monthInWords, shortMonth } from '../parts/dates.ts'

/** The place of a day in the heat map (0 is Monday), and its name in the text below. */
type CalendarDay = {
  readonly week: number
  readonly weekday: number
  /** Its place as path data: "M4 2v1" is the Wednesday of the fifth week. */
  readonly square: string
  /** "2026-11-14". */
  readonly date: string
  /** "14th". */
  readonly ordinal: string
  readonly month: string
}

/** The last 365 days by number, in 53 weeks, and the weeks in which their months begin. */
export type YearCalendar = {
  readonly first: number
  readonly days: readonly CalendarDay[]
  readonly months: readonly { readonly week: number; readonly name: string }[]
}

export const weeks = 53

/** Caches the result of `make` for the latest day that it was asked for. */
export function onceADay<Made>(make: (day: number) => Made): (day: number) => Made {
  let latest: { readonly day: number; readonly made: Made } | undefined
  return (day) => {
    if (latest?.day !== day) latest = { day, made: make(day) }
    return latest.made
  }
}

/** The calendar of the year that ends with a day: the same for all profiles. */
export const yearUpTo = onceADay((today) => calendarOf(today - daysInOverview + 1))

function calendarOf(first: number): YearCalendar {
  const days = Array.from({ length: daysInOverview }, (_, n): CalendarDay => {
    const start = startOfDay(first + n)
    const place = n + weekdayOf(first)
    const week = Math.floor(place / 7)
    const weekday = place % 7
    return {
      week,
      weekday,
      square: `M${week} ${weekday}v1`,
      date: dateOf(first + n),
      ordinal: ordinal(start.getUTCDate()),
      month: monthInWords(start),
    }
  })
  const begins = days.flatMap(({ week, ordinal }, n) =>
    ordinal === '1st' ? [{ week, name: shortMonth(startOfDay(first + n)) }] : [],
  )
  // The name of a month is as wide as three weeks.
  return { first, days, months: begins.filter(({ week }) => week <= weeks - 3) }
}

const endings: Readonly<Record<number, string>> = {
  1: 'st',
  2: 'nd',
  3: 'rd',
  21: 'st',
  22: 'nd',
  23: 'rd',
  31: 'st',
}

function ordinal(date: number): string {
  return `${date}${endings[date] ?? 'th'}`
}
