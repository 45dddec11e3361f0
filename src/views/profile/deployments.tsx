import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import type { Overview } from '../../domain/overview.ts'
import { dateOf, startOf } from '../../domain/time.ts'
import { placeOfUser } from '../deployment/entry.tsx'
import { ActiveEnvironment } from '../feed/active-environment.tsx'
import { CategoryFilter } from '../feed/category-filter.tsx'
import { DeploymentList, LiveList, NewerDeployments } from '../feed/list.tsx'
import { LiveState } from '../feed/live.tsx'
import { liveAddress, profileAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'
import { weekdayInWords } from '../parts/calendar.ts'
import { counted } from '../parts/counted.ts'

/** A list of one user's deployments, as their pages show it. */
export type ListOfUser = {
  readonly username: string
  readonly category: Category | null
  /** As it is compared. */
  readonly environment: string | null
  /** Null for all that they deploy to. */
  readonly target: string | null
  /** A UTC day by its number, null for all days. */
  readonly on: number | null
  /** Null on an older page, which shows the list alone. */
  readonly overview: Overview | null
  readonly now: Date
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  /** Of an older page: the id to page before for the one that it follows, null where that is the newest. */
  readonly newer: number | null
  /** The last event that the list holds; null where it is not live: of a day, and on an older page. */
  readonly seen: number | null
}

/** The deployments with their head and filters; children stand in place of an empty list. */
export function DeploymentsOfUser({ children, ...list }: PropsWithChildren<ListOfUser>): JSX.Element {
  const { username, category, environment, target, on, overview, now, deployments, older, newer, seen } = list
  const date = on === null ? null : dateOf(on)
  const address = profileAddress(username, { target, category, environment })
  return (
    <>
      <header class="list-head" id="list">
        <h2 safe>{titleOf(list)}</h2>
        {seen !== null ? (
          <LiveState />
        ) : on !== null ? (
          <a class="newer" href={attribute(`${address}#list`)}>
            All days
          </a>
        ) : (
          <NewerDeployments
            address={`${profileAddress(username, { target, category, environment, before: newer })}#list`}
          />
        )}
      </header>
      <CategoryFilter
        active={category}
        href={(category) => `${profileAddress(username, { target, category, on: date })}#list`}
      />
      {environment !== null && (
        <ActiveEnvironment
          environment={environment}
          clear={`${profileAddress(username, { target, category, on: date })}#list`}
        />
      )}
      {on !== null && overview !== null && older === null && deployments.length > 0 && (
        <p class="date total" safe>
          {counted(deployments.length, 'deployment')}
        </p>
      )}
      <LiveList
        live={
          seen === null ? null : { address: liveAddress({ username, category, target, environment }), seen }
        }
        now={now}
        address={address}
        of={username}
      >
        {deployments.length > 0 ? (
          <DeploymentList
            deployments={deployments}
            now={now}
            older={older}
            href={(before) => profileAddress(username, { target, category, environment, on: date, before })}
            place={placeOfUser(target)}
            isOnDay={on !== null}
          />
        ) : (
          children
        )}
      </LiveList>
    </>
  )
}

function titleOf({ on, now, seen }: ListOfUser): string {
  if (on !== null) return `${weekdayInWords(startOf(on), now)} (UTC)`
  return seen === null ? 'Older deployments' : 'Deployments'
}
