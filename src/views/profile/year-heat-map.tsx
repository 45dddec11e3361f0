import { Html } from '@elysiajs/html'
import type { DeploymentDay } from '../../domain/overview.ts'
import { heatLevels } from '../../domain/statistics.ts'
import { onceADay, weeks, type YearCalendar, yearUpTo } from './year-calendar.ts'

const pitch = 13
const left = 28
const top = 18
const weekdays = [
  [0, 'Mon'],
  [2, 'Wed'],
  [4, 'Fri'],
] as const

type Props = { days: readonly DeploymentDay[]; today: number; label: string }

/**
 * A year of days, one column per week from Monday on: a line for each level of heat, which a mask divides into
 * days. With scripts, year-heat-map.js lays an element with its text over each day, for pointers, keyboards and
 * screen readers; without them, "Day by day, in words" has the days.
 */
export function HeatMap({ days, today, label }: Props): JSX.Element {
  const calendar = yearUpTo(today)
  const counts = countsOf(days, calendar)
  return (
    <svg
      class="heat"
      viewBox={`0 0 ${left + weeks * pitch} ${top + 7 * pitch}`}
      aria-label={label}
      data-today={today}
      data-counts={counts.map((count) => (count === 0 ? '' : count)).join(',')}
    >
      {scaleUpTo(today)}
      <g transform={`translate(${left} ${top})`}>
        <g class="lines" transform={`scale(${pitch}) translate(0.5)`} mask="url(#days)">
          <path class="h0" d={allDaysUpTo(today)} />
          {linesOf(counts, calendar).map((line, level) =>
            line === '' ? '' : <path class={`h${level}`} d={line} />,
          )}
        </g>
        <g class="days" hx-morph-skip></g>
      </g>
    </svg>
  )
}

/** The number of deployments on each day of a calendar. */
function countsOf(days: readonly DeploymentDay[], { first, days: { length } }: YearCalendar): number[] {
  const counts = Array<number>(length).fill(0)
  for (const { day, deployments } of days) {
    if (first <= day && day < first + length) counts[day - first] = deployments
  }
  return counts
}

/** By level, its days as the data of a path: "M4 2v3" is from Wednesday to Friday of the fifth week. */
function linesOf(counts: readonly number[], { days }: YearCalendar): readonly string[] {
  const levelOf = heatLevels(counts)
  const lines = ['', '', '', '', '']
  for (const [n, { week, weekday }] of days.entries()) {
    const count = counts[n] ?? 0
    if (count > 0) lines[levelOf(count)] += `M${week} ${weekday}v1`
  }
  return lines
}

/** All days, a line for each week. */
const allDaysUpTo = onceADay((today) => {
  const { days } = yearUpTo(today)
  const end = (days.at(-1)?.weekday ?? 0) + 1
  return days
    .filter(({ weekday }, n) => n === 0 || weekday === 0)
    .map(({ week, weekday }) => `M${week} ${weekday}V${week === weeks - 1 ? end : 7}`)
    .join('')
})

/** The names of the months above the weeks they begin in, and of some weekdays; and the mask. */
const scaleUpTo = onceADay(
  (today): JSX.Element => (
    <g>
      {yearUpTo(today).months.map(({ week, name }) => (
        <text x={left + week * pitch} y={top - 7} safe>
          {name}
        </text>
      ))}
      {weekdays.map(([row, name]) => (
        <text x={0} y={top + row * pitch + 9}>
          {name}
        </text>
      ))}
      <pattern id="day" x="-0.5" width="1" height="1" patternUnits="userSpaceOnUse">
        <rect width={11 / pitch} height={11 / pitch} rx={2 / pitch} fill="#fff" />
      </pattern>
      <mask id="days">
        <rect x="-0.5" width={weeks} height="7" fill="url(#day)" />
      </mask>
    </g>
  ),
)
