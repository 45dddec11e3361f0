import { Html } from '@elysiajs/html'
import { dateOf, startOfDay } from '../../domain/ages-and-days.ts'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Overview } from '../../domain/statistics/overview-and-heat.ts'
import { placeOfUser } from '../deployment/entry.tsx'
import { EmptyDay, NothingOlder } from '../feed/empty-lists.tsx'
import { DeploymentList, LiveList, NewerDeployments } from '../feed/list.tsx'
import { LiveState } from '../feed/live.tsx'
import { CategoryFilter, EnvironmentFilter } from '../feed/search-form-and-filters.tsx'
import { liveAddress, profileAddress } from '../page/address.ts'
import { weekdayInWords } from '../parts/dates.ts'
import { escaped } from '../parts/escaping-and-templates.ts'
import { counted } from '../parts/links-and-marks.tsx'

/** One page of a user's deployments. */
export type DeploymentsOfKind = {
  readonly now: Date
  readonly deployments: readonly Deployment[]
  /** The id to page before; null on the last page. */
  readonly older: number | null
} & (
  | {
      readonly kind: 'newest'
      readonly overview: Overview
      /** The id of the last event that the list holds, from which its live stream continues. */
      readonly seen: number
    }
  | {
      readonly kind: 'older'
      /** The `before` id of the page that precedes this one; null if that is the newest page. */
      readonly newer: number | null
    }
  | {
      readonly kind: 'day'
      /** The number of the UTC day. */
      readonly on: number
      /** Null on an older page of the day, which shows the list alone. */
      readonly overview: Overview | null
    }
)

/** A list of one user's deployments, as shown on the pages of the profile and of projects. */
export type ListOfUser = DeploymentsOfKind & {
  readonly username: string
  readonly category: Category | null
  /** In the form in which environments are compared. */
  readonly environment: string | null
  /** Null for everything that they deploy to. */
  readonly target: string | null
}

type Props = ListOfUser & {
  /** The names of the environments that the list has, the newest first. */
  readonly environments: readonly string[]
  readonly ifNone: () => JSX.Element
}

/** The deployments with their heading and filters. `ifNone` draws what replaces an empty newest list. */
export function DeploymentsOfUser({ ifNone, environments, ...list }: Props): JSX.Element {
  const { username, category, environment, target, deployments } = list
  const date = dateIn(list)
  const address = profileAddress(username, { target, category, environment })
  const total = list.kind === 'day' && list.overview !== null && list.older === null ? deployments.length : 0
  return (
    <>
      <header class="list-head" id="list">
        <h2 safe>{titleOf(list)}</h2>
        {list.kind === 'newest' ? (
          <LiveState />
        ) : list.kind === 'day' ? (
          <a class="newer" href={escaped(`${address}#list`)}>
            All days
          </a>
        ) : (
          <NewerDeployments
            address={`${profileAddress(username, { target, category, environment, before: list.newer })}#list`}
          />
        )}
      </header>
      <CategoryFilter
        active={category}
        href={(category) => `${profileAddress(username, { target, category, on: date })}#list`}
      />
      <EnvironmentFilter
        environments={environments}
        active={environment}
        href={(environment) =>
          `${profileAddress(username, { target, category: null, environment, on: date })}#list`
        }
      />
      {total > 0 && (
        <p class="total" safe>
          {counted(total, 'deployment')}
        </p>
      )}
      <LiveList
        live={list.kind === 'newest' ? liveAddress({ username, category, target, environment }) : null}
        address={address}
        of={username}
      >
        {deployments.length > 0 ? (
          <UserDeploymentList {...list} />
        ) : overviewIn(list) === null ? (
          <NothingOlder />
        ) : list.kind === 'day' ? (
          <EmptyDay all={address} isFiltered={category !== null || environment !== null} />
        ) : (
          ifNone()
        )}
      </LiveList>
    </>
  )
}

/** The list alone, which htmx puts below the page before it. */
export function UserDeploymentList(list: ListOfUser): JSX.Element {
  const { username, category, environment, target, now, deployments, older } = list
  const on = dateIn(list)
  return (
    <DeploymentList
      deployments={deployments}
      now={now}
      older={older}
      href={(before) => profileAddress(username, { target, category, environment, on, before })}
      place={placeOfUser(target)}
      isOnDay={list.kind === 'day'}
    />
  )
}

/** The day that a list shows, by its number; null for all days. */
export function dayIn(list: DeploymentsOfKind): number | null {
  return list.kind === 'day' ? list.on : null
}

/** The numbers above a list; null for an older page, which shows the list alone. */
export function overviewIn(list: DeploymentsOfKind): Overview | null {
  return list.kind === 'older' ? null : list.overview
}

function dateIn(list: DeploymentsOfKind): string | null {
  return list.kind === 'day' ? dateOf(list.on) : null
}

function titleOf(list: ListOfUser): string {
  if (list.kind === 'day') return `${weekdayInWords(startOfDay(list.on), list.now)} (UTC)`
  return list.kind === 'older' ? 'Older deployments' : 'Deployments'
}
