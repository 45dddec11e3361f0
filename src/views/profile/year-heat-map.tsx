import { Html } from '@elysiajs/html'
import { type DeploymentDay, daysInOverview } from '../../domain/overview.ts'
import { heatLevels } from '../../domain/statistics.ts'
import { startOf } from '../../domain/time.ts'
import { dayOfYearInWords, shortMonth } from '../parts/calendar.ts'
import { counted } from '../parts/counted.ts'

const pitch = 13
const left = 28
const top = 18
const weeks = 53
const weekdays = [
  [0, 'Mon'],
  [2, 'Wed'],
  [4, 'Fri'],
] as const

type Props = { days: readonly DeploymentDay[]; today: number; label: string }

/**
 * A year of days, one column per week from Monday on. Each day has its own text: for a pointer and a screen
 * reader here, for the keyboard by year-heat-map.js. The stylesheet places and paints the days of a week.
 */
export function HeatMap({ days, today, label }: Props): JSX.Element {
  const first = today - daysInOverview + 1
  const counts = new Map(days.map(({ day, deployments }) => [day, deployments]))
  const levelOf = heatLevels([...counts.values()])
  const columns = Array.from({ length: weeks }, (_, week) => daysOfWeek(week, first, today))
  return (
    <svg class="heat" viewBox={`0 0 ${left + weeks * pitch} ${top + 7 * pitch}`} aria-label={label}>
      <Scale columns={columns} />
      {columns.map((column, week) => (
        <g transform={`translate(${left + week * pitch} ${top + weekdayOf(column[0] ?? 0) * pitch})`}>
          {column.map((day) => (
            <Cell day={day} count={counts.get(day) ?? 0} level={levelOf(counts.get(day) ?? 0)} />
          ))}
        </g>
      ))}
    </svg>
  )
}

function daysOfWeek(week: number, first: number, today: number): number[] {
  const monday = first - weekdayOf(first) + week * 7
  return Array.from({ length: 7 }, (_, weekday) => monday + weekday).filter(
    (day) => first <= day && day <= today,
  )
}

/** 0 is Monday; day 0, the first of January 1970, was a Thursday. */
function weekdayOf(day: number): number {
  return (day + 3) % 7
}

function Cell({ day, count, level }: { day: number; count: number; level: number }): JSX.Element {
  return (
    <rect class={level === 0 ? undefined : `h${level}`}>
      <title
        safe
      >{`${dayOfYearInWords(startOf(day))}: ${count === 0 ? 'none' : counted(count, 'deployment')}`}</title>
    </rect>
  )
}

/** The names of the months above the weeks they begin in, and of some weekdays. */
function Scale({ columns }: { columns: readonly (readonly number[])[] }): JSX.Element {
  return (
    <g>
      {columns.map((column, week) => {
        const begins = column.find((day) => startOf(day).getUTCDate() === 1)
        // A name needs the room of three weeks.
        if (begins === undefined || week > weeks - 3) return ''
        return (
          <text x={left + week * pitch} y={top - 7} safe>
            {shortMonth(startOf(begins))}
          </text>
        )
      })}
      {weekdays.map(([row, name]) => (
        <text x={0} y={top + row * pitch + 9}>
          {name}
        </text>
      ))}
    </g>
  )
}
