import { Html, type PropsWithChildren } from '@elysiajs/html'
import { dateOf, startOfDay, weekdayOf } from '../../domain/ages-and-days.ts'
import { type DeploymentDay, daysInOverview, heatLevels } from '../../domain/statistics/overview-and-heat.ts'
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
      /** Its place as path data: "M4 2v1" is the Wednesday of the fifth week. */
      square: `M${week} ${weekday}v1`,
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
const inWeeks = (length: number) => (length / pitch).toFixed(3)
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
 * A year of days, with one column per week from Monday: one path per level of heat, which a mask divides into
 * days. With scripts, year-heat-map.js lays a link over each day, for pointers, keyboards and screen readers;
 * without them, the links are at "As a list".
 */
export function HeatMap({ days, firstDay, today, on, query }: ShownYear): JSX.Element {
  const calendar = yearUpTo(today)
  const counts = countsOf(days, calendar)
  const begin = Math.min(Math.max(0, firstDay - calendar.first), calendar.days.length)
  const chosen = on === null ? undefined : calendar.days[on - calendar.first]
  return (
    <svg
      class="heat"
      viewBox={`0 0 ${left + weeks * pitch} ${top + 7 * pitch}`}
      aria-label="Deployments on each day, by week"
      data-today={today}
      data-first={firstDay}
      data-chosen={on ?? undefined}
      data-query={query}
      data-counts={counts.join(',')}
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
  return (
    <>
      <g class="lines" transform={`scale(${pitch}) translate(0.5)`} mask="url(#days)">
        <path class="h0" d={weeksOf(calendar, begin)} />
        {linesOf(days, calendar).map((line, level) =>
          line === '' ? '' : <path class={`h${level}`} d={line} />,
        )}
      </g>
      {begin > 0 && (
        <g class="lines" transform={`scale(${pitch}) translate(0.5)`} mask="url(#outlines)">
          <path class="h0" d={weeksOf(calendar, 0, begin)} />
        </g>
      )}
    </>
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

/** The days of each level as path data: "M4 2v3" is Wednesday to Friday of the fifth week. */
function linesOf(days: readonly DeploymentDay[], calendar: YearCalendar): readonly string[] {
  const levelOf = heatLevels(days.map(({ deployments }) => deployments))
  const lines = ['', '', '', '', '']
  for (const { day, deployments } of days) {
    lines[levelOf(deployments)] += calendar.days[day - calendar.first]?.square ?? ''
  }
  return lines
}

/** The days from one place in a calendar to another, a line for each week. */
function weeksOf({ days }: YearCalendar, from: number, to = days.length): string {
  let lines = ''
  for (let n = from; n < to; ) {
    const { week = 0, weekday = 0 } = days[n] ?? {}
    const length = Math.min(7 - weekday, to - n)
    lines += `M${week} ${weekday}v${length}`
    n += length
  }
  return lines
}

/** The names of the months above the weeks in which they begin, the names of some weekdays, and the mask. */
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
      <Mask id="day">
        <rect width={inWeeks(11)} height={inWeeks(11)} rx={inWeeks(2)} fill="#fff" />
      </Mask>
      <Mask id="outline">
        <rect
          {...{ x: inWeeks(0.5), y: inWeeks(0.5), width: inWeeks(10), height: inWeeks(10), rx: inWeeks(2) }}
          {...{ fill: 'none', stroke: '#fff', 'stroke-width': inWeeks(1) }}
        />
      </Mask>
    </g>
  ),
)

/** A mask that shows its children in the place of each day. */
function Mask({ id, children }: PropsWithChildren<{ id: string }>): JSX.Element {
  return (
    <>
      <pattern id={id} x="-0.5" width="1" height="1" patternUnits="userSpaceOnUse">
        {children}
      </pattern>
      {/* In user space, because the bounding box of a straight line has no width. */}
      <mask id={`${id}s`} maskUnits="userSpaceOnUse" x={-0.5} y={0} width={weeks} height={7}>
        <rect x="-0.5" width={weeks} height="7" fill={`url(#${id})`} />
      </mask>
    </>
  )
}
