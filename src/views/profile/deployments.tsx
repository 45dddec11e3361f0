import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Category } from '../../domain/category.ts'
import type { Deployment } from '../../domain/deployment.ts'
import { dateOf, startOf } from '../../domain/time.ts'
import { placeOfUser } from '../deployment/entry.tsx'
import { ActiveEnvironment } from '../feed/active-environment.tsx'
import { CategoryFilter } from '../feed/category-filter.tsx'
import { DeploymentList, LiveList } from '../feed/list.tsx'
import { LiveState } from '../feed/live.tsx'
import { liveAddress, profileAddress } from '../page/address.ts'
import { attribute } from '../parts/attribute.ts'
import { dayInWords } from '../parts/calendar.ts'

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
  readonly now: Date
  readonly deployments: readonly Deployment[]
  readonly older: number | null
  /** The last event that the list holds; null where it is not live: of a day, and on an older page. */
  readonly seen: number | null
}

/** The deployments with their head and filters; children stand in place of an empty list. */
export function DeploymentsOfUser({ children, ...list }: PropsWithChildren<ListOfUser>): JSX.Element {
  const { username, category, environment, target, on, now, deployments, older, seen } = list
  const date = on === null ? null : dateOf(on)
  const address = profileAddress(username, { target, category, environment })
  return (
    <>
      <header class="list-head" id="list">
        <h2 safe>{titleOf(list)}</h2>
        {seen === null ? (
          <a class="newer" href={attribute(`${address}#list`)}>
            {on === null ? 'Newest deployments' : 'All days'}
          </a>
        ) : (
          <LiveState />
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

function titleOf({ on, seen }: ListOfUser): string {
  if (on !== null) return `${dayInWords(startOf(on))} (UTC)`
  return seen === null ? 'Older deployments' : 'Deployments'
}
