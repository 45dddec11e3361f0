import { Html } from '@elysiajs/html'
import { barsOf } from '../../domain/statistics/tally.ts'
import { counted, inDigits } from '../parts/links-and-marks.tsx'

const day = 24

/** The number of deployments in each hour of the last two days, the oldest first. There may be fewer hours. */
type Props = { hours: readonly number[] }

/** How much was deployed in the last 24 hours, by hour. pulse.js lets it grow with the list. */
export function Pulse({ hours }: Props): JSX.Element {
  if (hours.length < day) return ''
  const shown = hours.slice(-day)
  const total = sum(shown)
  const before = hours.length < 2 * day ? null : sum(hours.slice(-2 * day, -day))
  return (
    <aside id="pulse" aria-label="The last 24 hours" data-hours={hours.join(',')}>
      <p>
        <strong safe>{inDigits(total)}</strong> in the last 24 hours
        {before !== null && <span class="before" safe>{`${inDigits(before)} in the 24 hours before`}</span>}
      </p>
      <svg
        viewBox="0 0 95 24"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${counted(total, 'deployment')} by hour, the latest hour last`}
      >
        <path d={barsOf(shown)} />
      </svg>
    </aside>
  )
}

function sum(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
