import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { isByBot } from '../../domain/feed/bots.ts'
import { groupsOf, isOneRun, rowsIn } from '../../domain/feed/grouping.ts'
import { dateOf, startOfDay, utcDayOf } from '../../domain/time.ts'
import { DeploymentEntry, type EntryLook } from '../deployment/entry.tsx'
import { Journey, StopOfJourney } from '../deployment/journey.tsx'
import { deploymentAddress } from '../page/address.ts'
import type { Moment } from '../page/layout.tsx'
import { weekdayInWords } from '../parts/dates.ts'
import { keepOnError } from '../parts/form.tsx'
import { escaped, template } from '../parts/markup.ts'
import { Day } from '../parts/time-element.tsx'
import { AccountDeleted, Arrivals, Gap } from './live.tsx'

/** A page of a list, the newest deployments first. */
export type PageOfList = Moment & {
  readonly deployments: readonly Deployment[]
  /** The id to page before; null on the last page. */
  readonly older: number | null
}

type ListProps = PageOfList & {
  look?: EntryLook
  href: (before: number) => string
  isSearch?: boolean
  /** How far back an incomplete search has looked. */
  reached?: Date | null
}

type LiveListProps = PropsWithChildren<{
  live: string | null
  address: string
  of?: string
  isSearch?: boolean
}>

/**
 * A list of deployments with the address of the whole list, in which scripts keep the ages current. `live` is the
 * address of its stream, and `of` a username if all are of one user. The results of a search are not folded.
 */
export function LiveList({ live, address, of, isSearch, children }: LiveListProps): JSX.Element {
  return (
    <>
      {live !== null && <Arrivals address={live} />}
      {of !== undefined && <AccountDeleted />}
      <div id="deployments" tabindex="-1" data-of={of} data-folds={isSearch ? 'false' : undefined}>
        {children}
        <template>
          {section({ heading: '', day: '' }, { entries: '' })}
          {byBots({ count: '' }, { entries: '' })}
          <Journey>
            <StopOfJourney address="" environment="" leg={0} />
          </Journey>
          <Gap />
          {/* Below what arrived while the tab was in the background; since-you-looked.js fills it in. */}
          <li class="since">
            <span>
              <span class="count"></span> new since you looked, <time class="age short"></time>
            </span>
          </li>
          {/* Replaces an open list after all of its deployments were withdrawn. */}
          <p class="empty emptied">
            Everything in this list was withdrawn. The next deployment will appear here.
          </p>
          <OlderDeployments address={address} reached={null} />
        </template>
      </div>
    </>
  )
}

/** The deployments under their days, newest first, and the link to the page before the id `older`. */
export function DeploymentList(props: ListProps): JSX.Element {
  const { deployments, now, older, href, look = {}, isSearch = false, reached = null } = props
  const entryOf = (deployment: Deployment, above: Deployment | undefined, row: InRow = {}): JSX.Element => {
    const isJoined = look.place !== 'project' && above !== undefined && isOneRun(above, deployment)
    return DeploymentEntry({ deployment, now, isJoined, ...row, ...look })
  }
  const entriesOf = (list: readonly Deployment[]): JSX.Element =>
    list.map((deployment, n) => entryOf(deployment, list[n - 1])).join('')
  // Nothing that was searched for is folded.
  const rows = isSearch || deployments.every(isByBot) ? null : rowsIn(deployments)
  const itemsOf = (list: readonly Deployment[]): JSX.Element => {
    if (rows === null) return entriesOf(list)
    let above: Deployment | undefined
    const items = groupsOf(list).map((group) => {
      const [first, ...others] = group
      if (others.length > 0) {
        above = undefined
        return byBots({ count: String(group.length) }, { entries: entriesOf(group) })
      }
      const row = rows.get(first) ?? group
      const at = row.indexOf(first)
      const next = row[at - 1]
      if (next !== undefined && list.includes(next)) return entryOf(first, undefined, { isPassed: true })
      const stops = row.slice(at)
      const entry = entryOf(first, above, { journey: stops.length === 1 ? '' : JourneyOf({ stops }) })
      above = first
      return entry
    })
    return items.join('')
  }
  return (
    <>
      {look.isOnDay ? (
        <ol class="on-day">{itemsOf(deployments)}</ol>
      ) : (
        daysOf(deployments).map(({ day, deployments }) => {
          const heading = `${weekdayInWords(startOfDay(day), now)} (UTC)`
          return section({ heading, day: dateOf(day) }, { entries: itemsOf(deployments) })
        })
      )}
      {older !== null && <OlderDeployments address={href(older)} reached={reached} />}
    </>
  )
}

/** What an entry is in the row of a release. */
type InRow = { isPassed?: boolean; journey?: JSX.Element }

/** The way of a release by its deployments, the newest first. */
function JourneyOf({ stops }: { stops: readonly Deployment[] }): JSX.Element {
  const way = stops.toReversed().map((deployment, n, all) => {
    const before = all[n - 1]
    const leg = before === undefined ? null : deployment.deployedAt.getTime() - before.deployedAt.getTime()
    return StopOfJourney({
      address: deploymentAddress(deployment),
      environment: deployment.environment ?? '',
      leg,
    })
  })
  return Journey({ children: way })
}

type NewerProps = { address: string; text?: 'Newer deployments' | 'Newest deployments' | 'All days' }

export function NewerDeployments({ address, text = 'Newer deployments' }: NewerProps): JSX.Element {
  return (
    <a class="newer" href={escaped(address)}>
      {text}
    </a>
  )
}

const section = template<'heading' | 'day', 'entries'>(({ heading, day }, { entries }) => (
  <section class="day" data-day={day}>
    <h2>{heading}</h2>
    <ol>{entries}</ol>
  </section>
))

/** Only the stylesheet folds them, so that they stay in the list and are counted for their day. */
const byBots = template<'count', 'entries'>(({ count }, { entries }) => (
  <li class="bots">
    <details>
      <summary>
        <span class="count">{count}</span> by bots
      </summary>
    </details>
    <ol>{entries}</ol>
  </li>
))

function daysOf(deployments: readonly Deployment[]) {
  const days: { readonly day: number; readonly deployments: Deployment[] }[] = []
  for (const deployment of deployments) {
    const day = utcDayOf(deployment.deployedAt)
    const last = days.at(-1)
    if (last?.day === day) last.deployments.push(deployment)
    else days.push({ day, deployments: [deployment] })
  }
  return days
}

function OlderDeployments({ address, reached }: { address: string; reached: Date | null }): JSX.Element {
  const href = escaped(address)
  return (
    <nav class="older" aria-label="Pages">
      <a
        class="button"
        href={href}
        hx-get={href}
        hx-target="closest .older"
        hx-swap="outerHTML"
        {...keepOnError}
      >
        Older deployments
      </a>
      {reached !== null && (
        <p class="hint">
          Searched back to <Day instant={reached} />.
        </p>
      )}
      <p class="unsent" role="alert"></p>
    </nav>
  )
}
