import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { inOrder } from '../../domain/environment/stages.ts'
import { type Facets, isUnfiltered } from '../../domain/feed/facets.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import type { Overview } from '../../domain/statistics/overview.ts'
import { dateOf, startOfDay } from '../../domain/time.ts'
import { placeOfUser } from '../deployment/entry.tsx'
import { EmptyProfile, NothingMatches, NothingOlder } from '../feed/empty-lists.tsx'
import { ActiveTime, FacetFilters } from '../feed/filters.tsx'
import { DeploymentList, LiveList, NewerDeployments, type PageOfList } from '../feed/list.tsx'
import { LiveState } from '../feed/live.tsx'
import { liveAddress, type ProfileQuery, profileAddress } from '../page/address.ts'
import type { PageProps } from '../page/site.ts'
import { weekdayInWords } from '../parts/dates.ts'
import { escaped } from '../parts/markup.ts'
import { counted } from '../parts/numbers.ts'

/**
 * The newest page of a list, an older one, or a UTC day by its number. An older page, also of a day, shows the list
 * without the numbers above it; `newer` is the `before` of the page that precedes it, null if that is the newest page.
 */
export type PageKind =
  | { readonly on: null; readonly overview: Overview; readonly newer: null }
  | { readonly on: null; readonly overview: null; readonly newer: number | null }
  | { readonly on: number; readonly overview: Overview | null; readonly newer: null }

/** One page of a user's deployments, or of those to one target. */
export type ListOfUser = PageOfList &
  PageKind & {
    readonly user: User
    /** A target, or a wider scope of domain/target.ts; null on the user's profile. */
    readonly target: string | null
    readonly by: Facets
    readonly time: TimeRange
  }

/** What is shown of a user or of one of their targets. */
export type FactsOfUser = ListOfUser & {
  /** Whether the days of the year are listed. */
  readonly year: 'list' | null
  /** The names of all environments of the user or target, the newest first; none on an older page. */
  readonly environments: readonly string[]
}

export type PropsOfUser = PageProps & FactsOfUser

export function DeploymentsOfUser(props: PropsOfUser): JSX.Element {
  const { user, target, by, on, time, now, deployments, overview } = props
  const part = { username: user.username, target, by }
  const addressOf = (query: Partial<ProfileQuery>) =>
    `${profileAddress(user.username, { ...part, ...query })}#list`
  const date = on === null ? null : dateOf(on)
  const isNewest = on === null && overview !== null
  const isLive = isNewest && !isBounded(time)
  const ofAllDays = isNewest ? 'Deployments' : 'Older deployments'
  const title = on === null ? ofAllDays : `${weekdayInWords(startOfDay(on), now)} (UTC)`
  const isWholeDay = on !== null && overview !== null && props.older === null
  return (
    <>
      <header class="list-head" id="list">
        <h2 safe>{title}</h2>
        {on !== null ? (
          <NewerDeployments address={addressOf({})} text="All days" />
        ) : isLive ? (
          <LiveState />
        ) : (
          !isNewest && <NewerDeployments address={addressOf({ time, before: props.newer })} />
        )}
      </header>
      <FacetFilters
        by={by}
        offered={{ environment: inOrder(props.environments, (name) => name, user.environmentOrder) }}
        href={(by) => addressOf({ by, on: date, time })}
      />
      {isBounded(time) && <ActiveTime time={time} all={addressOf({})} />}
      {isWholeDay && deployments.length > 0 && (
        <p class="total">{escaped(counted(deployments.length, 'deployment'))}</p>
      )}
      <LiveList
        live={isLive ? liveAddress(part) : null}
        address={profileAddress(user.username, { ...part, time })}
        of={user.username}
      >
        {deployments.length > 0 ? <UserDeploymentList {...props} /> : <NoDeployments {...props} />}
      </LiveList>
    </>
  )
}

function NoDeployments({ site, viewer, user, target, ...list }: PropsOfUser): JSX.Element {
  const { by, on, time, overview } = list
  const isFiltered = !isUnfiltered(by) || isBounded(time)
  if (overview === null) return <NothingOlder />
  if (on !== null) {
    const all = `${profileAddress(user.username, { target, by })}#list`
    const title = isFiltered ? 'No deployments on this day match' : 'Nothing was deployed on this day'
    return <NothingMatches all={all} title={title} of="days" />
  }
  if (target === null && !isFiltered) return <EmptyProfile site={site} isOwn={viewer?.id === user.id} />
  return <NothingMatches all={`${profileAddress(user.username, { target })}#list`} />
}

/** The list alone, which htmx puts below the page before it. */
export function UserDeploymentList(list: ListOfUser): JSX.Element {
  const { user, target, by, on, time } = list
  const part = { target, by, time, on: on === null ? null : dateOf(on) }
  return (
    <DeploymentList
      {...list}
      href={(before) => profileAddress(user.username, { ...part, before })}
      look={{ place: placeOfUser(target), isOnDay: on !== null }}
    />
  )
}
