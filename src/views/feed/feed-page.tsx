import { Html, type PropsWithChildren } from '@elysiajs/html'
import { type Facets, facets, facetsOfMany, ofFewValues } from '../../domain/feed/facets.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import { barsOf } from '../../domain/statistics/tally.ts'
import { OpenGraph } from '../deployment/link-preview.tsx'
import { feedAddress, liveAddress } from '../page/address.ts'
import { Layout, summary, tagline } from '../page/layout.tsx'
import type { PageProps } from '../page/site.ts'
import { polled } from '../parts/form.tsx'
import { escaped } from '../parts/markup.ts'
import { counted, inDigits } from '../parts/numbers.ts'
import { EmptyFeed, NothingMatches, NothingOlder } from './empty-lists.tsx'
import { ActiveTime, CategoryFilter } from './filters.tsx'
import { DeploymentList, LiveList, NewerDeployments, type PageOfList } from './list.tsx'
import { LiveState } from './live.tsx'

type ListProps = PageOfList & { by: Facets; time: TimeRange }

type Props = PageProps &
  ListProps & {
    /** Null on the newest page. */
    before: number | null
    /** The `before` of the page that precedes an older one; null if that is the newest page. */
    newer: number | null
    /** The number of deployments in each hour of the last two days; empty if not shown or not known. */
    hours: readonly number[]
  }

export function FeedPage(props: Props): JSX.Element {
  const { site, viewer, by, time, deployments, before, newer, hours } = props
  const part = { username: null, by, target: null }
  const only = facetsOfMany.find((facet) => by[facet] !== undefined)
  const withoutIt = feedAddress({ by: ofFewValues(by), time })
  const address = feedAddress({ by, time })
  const isOlder = before !== null
  const isLive = !isOlder && !isBounded(time)
  return (
    <Layout
      {...{ site, viewer }}
      title={titleOf(isOlder)}
      current="feed"
      canonical={feedAddress(part)}
      feeds={part}
      head={
        <OpenGraph site={site} type="website" title={tagline} description={summary} address={site.baseUrl} />
      }
      list={props}
    >
      <ListTop {...{ site, viewer, isOlder }}>
        {isOlder && <NewerDeployments address={feedAddress({ by, time, before: newer })} />}
        {isLive && <LiveState />}
      </ListTop>
      <div class="find">
        {site.search !== null && <site.search.Form by={by} />}
        <CategoryFilter by={by} href={(by) => feedAddress({ by, time })} />
      </div>
      <div id="results">
        {!isOlder && deployments.length > 0 && <Pulse hours={hours} />}
        {only !== undefined && (
          <p class="active-target">
            Only deployments {facets[only].preposition.list} <strong safe>{by[only] ?? ''}</strong>.{' '}
            <a href={escaped(withoutIt)}>Show all {facets[only].list}</a>
          </p>
        )}
        {isBounded(time) && <ActiveTime time={time} all={feedAddress({ by })} />}
        <LiveList live={isLive ? liveAddress(part) : null} address={address}>
          {deployments.length > 0 ? (
            <FeedList {...props} />
          ) : isOlder ? (
            <NothingOlder />
          ) : isBounded(time) ? (
            <NothingMatches all={feedAddress({ by })} />
          ) : only !== undefined ? (
            <NothingMatches all={withoutIt} />
          ) : (
            <EmptyFeed {...{ site, viewer }} category={by.category} />
          )}
        </LiveList>
      </div>
    </Layout>
  )
}

function titleOf(isOlder: boolean) {
  return isOlder ? 'Older deployments' : 'Deployments'
}

type TopProps = PropsWithChildren<PageProps & { isOlder: boolean }>

/** The heading of the feed or of a search, and how to join, for a reader who is not signed in. */
export function ListTop({ site, viewer, isOlder, children }: TopProps): JSX.Element {
  return (
    <div id="list-top">
      <header class="list-head">
        <h1>{titleOf(isOlder)}</h1>
        {children}
      </header>
      {!isOlder && viewer === null && (
        <p class="lede">
          {tagline} <a href={site.registrationOpen ? '/sign-up' : '/docs'}>Announce yours</a> with one HTTP
          request, and show how fresh they are with a <a href="/docs#badges">badge</a>.
        </p>
      )}
    </div>
  )
}

const hoursADay = 24

/**
 * How much was deployed in the last 24 hours, by hour, the oldest first. It is read again every five minutes, and not
 * with each arrival, which reaches all open pages at the same moment.
 */
function Pulse({ hours }: { hours: readonly number[] }): JSX.Element {
  if (hours.length < hoursADay) return ''
  const shown = hours.slice(-hoursADay)
  const total = sum(shown)
  const before = hours.length < 2 * hoursADay ? null : sum(hours.slice(-2 * hoursADay, -hoursADay))
  return (
    <aside
      id="pulse"
      aria-label="The last 24 hours"
      hx-get={feedAddress({})}
      hx-select="#pulse > *"
      hx-swap="innerHTML ignoreTitle:true"
      {...polled(300)}
    >
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

/** The list alone, which htmx puts below the page before it. */
export function FeedList({ by, time, ...list }: ListProps): JSX.Element {
  return <DeploymentList {...list} href={(before) => feedAddress({ by, time, before })} />
}
