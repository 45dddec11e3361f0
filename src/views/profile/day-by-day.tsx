import { Html } from '@elysiajs/html'
import type { DeploymentDay } from '../../domain/overview.ts'
import { counted, inDigits } from '../parts/counted.ts'
import { prepared } from '../parts/prepared.ts'
import { yearUpTo } from './year-calendar.ts'

type Month = { readonly name: string; readonly days: string[]; deployments: number }

type Props = {
  days: readonly DeploymentDay[]
  today: number
  /** The day that is chosen, by its number. */
  on: number | null
  /** The query of the page of a day, up to its date. */
  query: string
}

/** The heat map in words, for readers who cannot hover its days: the last month first. */
export function DayByDay({ days, today, on, query }: Props): JSX.Element {
  return (
    <details class="fold">
      <summary>Day by day, in words</summary>
      <dl class="by-month">
        {monthsOf({ days, today, on, query }).map(({ name, days, deployments }) =>
          month({ name, total: counted(deployments, 'deployment') }, { days: days.join(', ') }),
        )}
      </dl>
    </details>
  )
}

const month = prepared<'name' | 'total', 'days'>(({ name, total }, { days }) => (
  <div>
    <dt>
      <strong safe>{name}</strong>
      <span safe>{total}</span>
    </dt>
    <dd>{days}</dd>
  </div>
))

/** "14th: 3", a link to the list of that day. */
const link = prepared<'query' | 'date' | 'ordinal' | 'deployments'>(
  ({ query, date, ordinal, deployments }) => (
    <a href={`${query}${date}#list`} safe>{`${ordinal}: ${deployments}`}</a>
  ),
)
const chosen = prepared<'query' | 'date' | 'ordinal' | 'deployments'>(
  ({ query, date, ordinal, deployments }) => (
    <a href={`${query}${date}#list`} aria-current="date" safe>{`${ordinal}: ${deployments}`}</a>
  ),
)

function monthsOf({ days, today, on, query }: Props): readonly Month[] {
  const calendar = yearUpTo(today)
  const months: Month[] = []
  for (const { day, deployments } of days) {
    const found = calendar.days[day - calendar.first]
    if (found === undefined) continue
    const last = months.at(-1)
    const month = last?.name === found.month ? last : { name: found.month, days: [], deployments: 0 }
    if (month !== last) months.push(month)
    const { date, ordinal } = found
    const draw = day === on ? chosen : link
    month.days.push(String(draw({ query, date, ordinal, deployments: inDigits(deployments) })))
    month.deployments += deployments
  }
  return months.toReversed()
}
