import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { type DeploymentDay, daysInOverview, type Overview } from '../../domain/overview.ts'
import { deploymentsBetween } from '../../domain/statistics.ts'
import { dayOf, startOf } from '../../domain/time.ts'
import { profileAddress } from '../page/address.ts'
import { dayOfYearInWords } from '../parts/calendar.ts'
import { counted } from '../parts/counted.ts'
import { Panel } from '../parts/panel.tsx'
import { DayByDay } from './day-by-day.tsx'
import { FrequencyNote } from './frequency.tsx'
import { HeatMap } from './year-heat-map.tsx'

const levels = [0, 1, 2, 3, 4]

type Props = {
  overview: Overview
  category: Category | null
  environment: string | null
  /** The day that is chosen, by its number. */
  on: number | null
}

/** The deployments on each day of the last year, each a link to its list, and how frequent they are. */
export function Year({ overview, category, environment, on }: Props): JSX.Element {
  const { days, firstDay, now } = overview
  const today = dayOf(now)
  const year = {
    days,
    firstDay: firstDay ?? today,
    today,
    on,
    query: profileAddress('', { target: null, category, environment, on: '' }).slice(1),
  }
  return (
    <Panel id="year" title="The year" hint={totalOf(year)}>
      {/* In a narrow window the year scrolls within this, and shows its end first. */}
      <section class="year" tabindex="0" aria-label="Heat map">
        <HeatMap {...year} label="Deployments on each day, by week" />
      </section>
      <div class="heat-foot">
        <p class="hint" id="heat-day" hx-morph-skip></p>
        {legend}
      </div>
      <FrequencyNote overview={overview} />
      <DayByDay {...year} />
    </Panel>
  )
}

type Totalled = { days: readonly DeploymentDay[]; firstDay: number; today: number }

/** "395 deployments"; where they began within the year, "182 deployments since 27 February". */
function totalOf({ days, firstDay, today }: Totalled): string {
  const begin = today - daysInOverview + 1
  const total = counted(deploymentsBetween(days, begin, today), 'deployment')
  return firstDay > begin ? `${total} since ${dayOfYearInWords(startOf(firstDay))}` : total
}

const legend: JSX.Element = (
  <p class="legend hint" aria-hidden="true">
    Fewer
    <svg class="heat" viewBox="0 0 63 11" aria-hidden="true">
      {levels.map((level) => (
        <rect class={`cell h${level}`} x={level * 13} />
      ))}
    </svg>
    More
  </p>
)
