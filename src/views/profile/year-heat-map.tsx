import { Html } from '@elysiajs/html'
import { heatLevels } from '../../domain/statistics/heat.ts'
import { type DeploymentDay, daysInOverview } from '../../domain/statistics/overview.ts'
import { dateOf, startOfDay, weekdayOf } from '../../domain/time.ts'
import { monthInWords, shortMonth } from '../parts/dates.ts'

export const weeks = 53

/** Caches the result of `make` for the latest day that it was asked for. */
function onceADay<Made>(make: (day: number) => Made): (day: number) => Made {
  let latest: { readonly day: number; readonly made: Made } | undefined
  return (day) => {
    if (latest?.day !== day) latest = { day, made: make(day) }
    return latest.made
  }
}

type YearCalendar = ReturnType<typeof calendarOf>
type CalendarDay = YearCalendar['days'][number]

/** The year that ends with a day, the same for all profiles: its days, and the weeks in which months begin. */
export const yearUpTo = onceADay((today) => calendarOf(today - daysInOverview + 1))

function calendarOf(first: number) {
  const days = Array.from({ length: daysInOverview }, (_, n) => {
    const start = startOfDay(first + n)
    const date = start.getUTCDate()
    const place = n + weekdayOf(first)
    const week = Math.floor(place / 7)
    /** 0 is Monday. */
    const weekday = place % 7
    return {
      week,
      weekday,
      date: dateOf(first + n),
      ordinal: `${date}${endings[ordinals.select(date)]}`,
      month: monthInWords(start),
    }
  })
  const begins = days.flatMap(({ week, ordinal }, n) =>
    ordinal === '1st' ? [{ week, name: shortMonth(startOfDay(first + n)) }] : [],
  )
  // The name of a month is as wide as three weeks.
  return { first, days, months: begins.filter(({ week }) => week <= weeks - 3) }
}

const endings: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' }
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })

/** The width of a week. */
const pitch = 13
/** The place of the first day, below the months and next to the weekdays. */
export const firstDayAt = { left: 28, top: 18 } as const
const { left, top } = firstDayAt

/** The year that a page shows, whose days are given by their numbers. */
export type ShownYear = {
  readonly days: readonly DeploymentDay[]
  /** The day of the first deployment; before it, days are outlines. */
  readonly firstDay: number
  readonly today: number
  readonly on: number | null
  /** The query of the page of a day, up to its date. */
  readonly query: string
}

/**
 * A year of days, with one column per week from Monday, and one path per level of heat. With scripts,
 * year-heat-map.js lays a link over each day, for pointers, keyboards and screen readers; without them, the links are
 * at "As a list".
 */
export function HeatMap({ days, firstDay, today, on, query }: ShownYear): JSX.Element {
  const calendar = yearUpTo(today)
  const counts = countsOf(days, calendar)
  const begin = Math.min(Math.max(0, firstDay - calendar.first), calendar.days.length)
  const chosen = on === null ? undefined : calendar.days[on - calendar.first]
  return (
    <svg
      class="heat"
      role="presentation"
      viewBox={`0 0 ${left + weeks * pitch} ${top + 7 * pitch}`}
      data-today={today}
      data-first={firstDay}
      data-chosen={on ?? undefined}
      data-query={query}
      data-counts={counts.join(',')}
      data-rollbacks={rollbacksOf(days)}
    >
      {scaleUpTo(today)}
      <g transform={`translate(${left} ${top})`}>
        {daysOf(days, today, begin)}
        <g class="days" hx-morph-skip></g>
        {chosen !== undefined && (
          <rect class="cell chosen" x={chosen.week * pitch} y={chosen.weekday * pitch} />
        )}
      </g>
    </svg>
  )
}

/** The days from `begin` on as one path for each level of heat, and those before it as outlines. */
export function daysOf(days: readonly DeploymentDay[], today: number, begin: number): JSX.Element {
  const calendar = yearUpTo(today)
  const counts = new Map(days.map(({ day, deployments }) => [day - calendar.first, deployments]))
  const levelOf = heatLevels([...counts.values()])
  const dots = dotsOf(days, calendar)
  const squares: CalendarDay[][] = [[], [], [], [], []]
  for (const [n, day] of calendar.days.entries()) {
    if (n >= begin) squares[levelOf(counts.get(n) ?? 0)]?.push(day)
  }
  return (
    // Neither masks nor patterns: WebKit rounds the size of a pattern's tile, so that days vanish or fuse.
    <g
      transform="translate(2 2)"
      fill="currentColor"
      stroke="currentColor"
      stroke-width="4"
      stroke-linejoin="round"
    >
      {squares.map((days, level) =>
        days.length === 0 ? '' : <path class={`h${level}`} d={squaresOf(days)} />,
      )}
      {dots !== '' && <Dots at={dots} />}
      {begin > 0 && (
        <>
          <g class="h0">
            <path id="days-before" d={squaresOf(calendar.days.slice(0, begin))} />
          </g>
          <use class="inside" href="#days-before" />
        </>
      )}
    </g>
  )
}

/** The number of deployments on each day of a calendar, '' for none. */
function countsOf(days: readonly DeploymentDay[], { first, days: { length } }: YearCalendar) {
  const counts = Array<number | ''>(length).fill('')
  for (const { day, deployments } of days) {
    if (first <= day && day < first + length) counts[day - first] = deployments
  }
  return counts
}

/** Which days had how many rollbacks, "20417:1,20420:2"; undefined for none. */
function rollbacksOf(days: readonly DeploymentDay[]): string | undefined {
  return days.flatMap(({ day, rollbacks }) => (rollbacks ? `${day}:${rollbacks}` : [])).join(',') || undefined
}

/** Dots with an edge, which makes them visible on days of any colour. */
export function Dots({ at }: { at: string }): JSX.Element {
  return (
    <g class="rollbacks">
      <path class="edge" d={at} />
      <path d={at} />
    </g>
  )
}

/** Path data: a dot on each day with a rollback. */
function dotsOf(days: readonly DeploymentDay[], { first, days: all }: YearCalendar): string {
  return days
    .flatMap(({ day, rollbacks }) => (rollbacks ? (all[day - first] ?? []) : []))
    .map(({ week, weekday }) => `M${week * pitch + 3.5} ${weekday * pitch + 3.5}h0`)
    .join('')
}

/** Path data: a square of 7 for each day, which the stroke of 4 makes larger and rounds. */
function squaresOf(days: readonly CalendarDay[]): string {
  let path = ''
  let above: CalendarDay | undefined
  for (const day of days) {
    const { week, weekday } = day
    const isBelow = above?.week === week && above.weekday === weekday - 1
    // Relative to the day above, because what repeats is compressed.
    path += `${isBelow ? `m0 ${pitch}` : `M${week * pitch} ${weekday * pitch}`}h7v7h-7z`
    above = day
  }
  return path
}

/** The names of the months above the weeks in which they begin, and the names of some weekdays. */
export const scaleUpTo = onceADay(
  (today): JSX.Element => (
    <g>
      {yearUpTo(today).months.map(({ week, name }) => (
        <text x={left + week * pitch} y={top - 7} safe>
          {name}
        </text>
      ))}
      {(['Mon', 'Wed', 'Fri'] as const).map((name, n) => (
        <text x={0} y={top + 2 * n * pitch + 9}>
          {name}
        </text>
      ))}
    </g>
  ),
)
