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
import { HeatMap, type ShownYear, yearUpTo } from './year-heat-map.tsx'

type Props = PropsOfUser & { overview: Overview; numbers: Numbers }

/** The deployments on each day of the last year, each a link to its list, and how frequent they are. */
export function Year({ overview, numbers, year, ...props }: Props): JSX.Element {
  const { target, category, environment, on, environments } = props
  const isOfAll = environment !== null || (target !== null && environments.length > 1)
  const { days, firstDay, now } = overview
  const today = utcDayOf(now)
  const part = { category, environment }
  const shown = { days, firstDay: firstDay ?? today, today, on, query: queryOf({ ...part, on: '' }) }
  return (
    <Panel id="year" title="The year" hint={`${totalOf(shown)}${isOfAll ? ', to all environments' : ''}`}>
      {/* In a narrow window the year scrolls inside this element and starts at its end. */}
      <section class="year" tabindex="0" aria-label="Deployments on each day, by week">
        <HeatMap {...shown} />
      </section>
      <div class="heat-foot">
        <p class="hint" id="heat-day" hx-morph-skip></p>
        {legend}
      </div>
      <HowCounted {...numbers} />
      {year === 'list' ? <DayByDay {...shown} /> : <ListLink {...part} on={on} />}
    </Panel>
  )
}

/** A link to this page with the list of days, which is too long to be on every page. */
function ListLink({ on, ...part }: Pick<PropsOfUser, 'category' | 'environment' | 'on'>): JSX.Element {
  const query = queryOf({ ...part, on: on === null ? null : dateOf(on), year: 'list' })
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

const legend: JSX.Element = (
  <p class="legend hint" aria-hidden="true">
    Fewer
    <svg class="heat" viewBox="0 0 63 11" aria-hidden="true">
      {[0, 1, 2, 3, 4].map((level) => (
        <rect class={`cell h${level}`} x={level * 13} />
      ))}
    </svg>
    More
  </p>
)

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
  for (const { day, deployments } of days) {
    const found = calendar.days[day - calendar.first]
    if (found === undefined) continue
    const { month: name, date, ordinal } = found
    const last = months.at(-1)
    const month = last?.name === name ? last : { name, days: [], deployments: 0 }
    if (month !== last) months.push(month)
    const draw = day === on ? chosen : link
    month.days.push(String(draw({ query, date, ordinal, deployments: inDigits(deployments) })))
    month.deployments += deployments
  }
  return months.toReversed()
}
