import { Html } from '@elysiajs/html'
import { type DeploymentDay, daysInOverview } from '../../../domain/overview.ts'
import { heatLevels } from '../../../domain/statistics.ts'
import { dayOf } from '../../../domain/time.ts'
import { weekdayOf, weeks } from '../../profile/year-calendar.ts'
import { heatColours } from './colours.ts'

type Props = { days: readonly DeploymentDay[]; last: Date; x: number; y: number; width: number }

/** The year up to a day along the foot, a column a week: a path for each level of heat. */
export function YearStrip({ days, last, x, y, width }: Props): JSX.Element {
  const first = dayOf(last) - daysInOverview + 1
  const counts = new Map(days.map(({ day, deployments }) => [day, deployments]))
  const levelOf = heatLevels([...counts.values()])
  const paths = heatColours.map(() => '')
  for (let day = first; day < first + daysInOverview; day += 1) {
    const place = weekdayOf(first) + day - first
    paths[levelOf(counts.get(day) ?? 0)] += `M${Math.floor(place / 7)} ${place % 7}${cell}`
  }
  const pitch = width / (weeks - 1 + side)
  return (
    <g
      transform={`translate(${x} ${y}) scale(${pitch}) translate(${rounding / 2} ${rounding / 2})`}
      stroke-width={rounding}
      stroke-linejoin="round"
    >
      {paths.map((path, level) => (
        <path d={path} fill={heatColours[level]} stroke={heatColours[level]} />
      ))}
    </g>
  )
}

/** A square of 0.5 within a stroke of 0.3: its edge is round, and a year of them is 5 KB. */
const cell = 'h.5v.5h-.5z'
const rounding = 0.3
const side = 0.5 + rounding
