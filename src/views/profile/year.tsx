import { Html } from '@elysiajs/html'
import { deploymentsBetween } from '../../domain/statistics/frequency.ts'
import { daysInOverview, type Overview } from '../../domain/statistics/overview.ts'
import { dateOf, startOfDay, utcDayOf } from '../../domain/time.ts'
import { type ProfileQuery, profileAddress } from '../page/address.ts'
import { dayInWords, dayOfYearInWords } from '../parts/dates.ts'
import { escaped, template } from '../parts/markup.ts'
import { counted, inDigits } from '../parts/numbers.ts'
import { Panel } from '../parts/panel.tsx'
import type { PropsOfUser } from './deployments.tsx'
import { HowCounted, type Numbers } from './statistics.tsx'
import { Dots, HeatMap, type ShownYear, yearUpTo } from './year-heat-map.tsx'

type Props = PropsOfUser & { overview: Overview; numbers: Numbers }

/** The deployments on each day of the last year, each a link to its list, and how frequent they are. */
export function Year({ overview, numbers, year, ...props }: Props): JSX.Element {
  const { target, by, on, environments } = props
  const isOfAll = by.environment !== undefined || (target !== null && environments.length > 1)
  const { days, firstDay, now } = overview
  const today = utcDayOf(now)
  const hasRollbacks = days.some(({ rollbacks }) => rollbacks !== undefined)
  const shown = { days, firstDay: firstDay ?? today, today, on, query: queryOf({ by, on: '' }) }
  return (
    <Panel id="year" title="The year" hint={`${totalOf(shown)}${isOfAll ? ', to all environments' : ''}`}>
      <Legend hasRollbacks={hasRollbacks} />
      {/* In a narrow window the year scrolls inside this element and starts at its end. */}
      <section class="year" tabindex="0" aria-label="Deployments on each day, by week">
        <HeatMap {...shown} />
      </section>
      <HowCounted {...numbers} hasRollbacks={hasRollbacks} />
      {year === 'list' ? <DayByDay {...shown} /> : <ListLink by={by} on={on} />}
      <p class="hint" id="heat-day" hx-morph-skip></p>
    </Panel>
  )
}

/** A link to this page with the list of days, which is too long to be on every page. */
function ListLink({ by, on }: Pick<PropsOfUser, 'by' | 'on'>): JSX.Element {
  const query = queryOf({ by, on: on === null ? null : dateOf(on), year: 'list' })
  return (
    <p class="as-list">
      <a href={escaped(`${query}#year`)}>As a list</a>
    </p>
  )
}

/** The query of a page of the same user or project. */
function queryOf(query: Omit<ProfileQuery, 'target'>): string {
  return profileAddress('', { target: null, ...query }).slice(1)
}

/** "395 deployments", or "182 deployments since 27 February" if the first one is within the last 365 days. */
function totalOf({ days, firstDay, today }: ShownYear): string {
  const begin = today - daysInOverview + 1
  const total = counted(deploymentsBetween(days, begin, today), 'deployment')
  if (firstDay <= begin) return total
  const [first, last] = [startOfDay(firstDay), startOfDay(today)]
  const isThisYear = first.getUTCFullYear() === last.getUTCFullYear()
  return `${total} since ${isThisYear ? dayOfYearInWords(first) : dayInWords(first)}`
}

function Legend({ hasRollbacks }: { hasRollbacks: boolean }): JSX.Element {
  return (
    <p class="legend hint" aria-hidden="true">
      {hasRollbacks && (
        <>
          <svg class="heat one" viewBox="-2 -2 11 11" aria-hidden="true">
            <Dots at="M3.5 3.5h0" />
          </svg>
          <span>A rollback</span>
        </>
      )}
      Fewer
      <svg class="heat" viewBox="0 0 63 11" aria-hidden="true">
        {[0, 1, 2, 3, 4].map((level) => (
          <rect class={`cell h${level}`} x={level * 13} />
        ))}
      </svg>
      More
    </p>
  )
}

/** The heat map as a list, for readers without scripts above all: the latest month first. */
function DayByDay(shown: ShownYear): JSX.Element {
  return (
    <dl class="by-month">
      {monthsOf(shown).map(({ name, days, deployments }) =>
        month({ name, total: counted(deployments, 'deployment') }, { days: days.join(', ') }),
      )}
    </dl>
  )
}

const month = template<'name' | 'total', 'days'>(({ name, total }, { days }) => (
  <div>
    <dt>
      <strong>{name}</strong>
      <span>{total}</span>
    </dt>
    <dd>{days}</dd>
  </div>
))

/** "14th: 3", a link to the list of that day. */
const linkOf = (isChosen: boolean) =>
  template<'query' | 'date' | 'ordinal' | 'deployments'>(({ query, date, ordinal, deployments }) => (
    <a href={`${query}${date}#list`} aria-current={isChosen ? 'date' : undefined}>
      {ordinal}: {deployments}
    </a>
  ))
const link = linkOf(false)
const chosen = linkOf(true)

function monthsOf({ days, today, on, query }: ShownYear) {
  const calendar = yearUpTo(today)
  const months: { readonly name: string; readonly days: string[]; deployments: number }[] = []
  for (const { day, deployments, rollbacks = 0 } of days) {
    const found = calendar.days[day - calendar.first]
    if (found === undefined) continue
    const { month: name, date, ordinal } = found
    const last = months.at(-1)
    const month = last?.name === name ? last : { name, days: [], deployments: 0 }
    if (month !== last) months.push(month)
    const draw = day === on ? chosen : link
    const back = rollbacks === 0 ? '' : ` with ${counted(rollbacks, 'rollback')}`
    month.days.push(draw({ query, date, ordinal, deployments: inDigits(deployments) }) + back)
    month.deployments += deployments
  }
  return months.toReversed()
}
