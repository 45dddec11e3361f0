import { Html } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import { type DeploymentDay, daysInOverview, type Overview } from '../../domain/overview.ts'
import { deploymentsBetween } from '../../domain/statistics.ts'
import { dayOf } from '../../domain/time.ts'
import { profileAddress } from '../page/address.ts'
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
    <Panel id="year" title="A year of deployments" hint={totalOf(days, today)}>
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

function totalOf(days: readonly DeploymentDay[], today: number): string {
  const total = deploymentsBetween(days, today - daysInOverview + 1, today)
  return `${counted(total, 'deployment')} in the last 12 months`
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
