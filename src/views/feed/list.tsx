import { Html, type PropsWithChildren } from '@elysiajs/html'
import type { Deployment } from '../../domain/deployment.ts'
import { dateOf, startOfDay, utcDayOf } from '../../domain/time.ts'
import { DeploymentEntry, type EntryPlace } from '../deployment/entry.tsx'
import { attribute, keepOnError } from '../parts/attributes.ts'
import { weekdayInWords } from '../parts/calendar.ts'
import { template } from '../parts/template.ts'
import { Day } from '../parts/time-element.tsx'
import { AccountDeleted, Arrivals, Emptied, Gap, SinceYouLooked } from './live.tsx'

type ListProps = {
  deployments: readonly Deployment[]
  now: Date
  older: number | null
  href: (before: number) => string
  place?: EntryPlace | undefined
  /** Whether the page is about one day, so that the entries need no heading of their day. */
  isOnDay?: boolean | undefined
  /** The words of the search. */
  words?: readonly string[] | undefined
  /** How far back an incomplete search has looked. */
  reached?: Date | null | undefined
}

type LiveListProps = PropsWithChildren<{
  /** The address of its stream, null if it is not live. */
  live: string | null
  /** The address of the whole list. */
  address: string
  /** The username, if all deployments are of one user. */
  of?: string
}>

/** A list of deployments, in which scripts keep the ages current. */
export function LiveList({ live, address, of, children }: LiveListProps): JSX.Element {
  return (
    <>
      {live !== null && <Arrivals address={live} />}
      {of !== undefined && <AccountDeleted />}
      <div id="deployments" tabindex="-1" data-of={of}>
        {children}
        <template>
          {section({ heading: '', day: '' }, { entries: '' })}
          <Gap />
          <SinceYouLooked />
          <Emptied />
          <OlderDeployments address={address} />
        </template>
      </div>
    </>
  )
}

/** The deployments under their days, newest first, and the link to the page before the id `older`. */
export function DeploymentList({
  deployments,
  now,
  older,
  href,
  place,
  isOnDay,
  words,
  reached,
}: ListProps): JSX.Element {
  const entriesOf = (deployments: readonly Deployment[]): JSX.Element =>
    deployments.map((deployment) => DeploymentEntry({ deployment, now, place, isOnDay, words })).join('')
  return (
    <>
      {isOnDay ? (
        <ol class="on-day">{entriesOf(deployments)}</ol>
      ) : (
        daysOf(deployments).map(({ day, deployments }) => {
          const heading = `${weekdayInWords(startOfDay(day), now)} (UTC)`
          return section({ heading, day: dateOf(day) }, { entries: entriesOf(deployments) })
        })
      )}
      {older !== null && <OlderDeployments address={href(older)} reached={reached} />}
    </>
  )
}

/** The link from an older page of a list to the newer page before it. */
export function NewerDeployments({ address }: { address: string }): JSX.Element {
  return (
    <a class="newer" href={attribute(address)}>
      Newer deployments
    </a>
  )
}

const section = template<'heading' | 'day', 'entries'>(({ heading, day }, { entries }) => (
  <section class="day" data-day={day}>
    <h2 class="date" safe>
      {heading}
    </h2>
    <ol>{entries}</ol>
  </section>
))

type DayOfList = { readonly day: number; readonly deployments: Deployment[] }

/** The deployments by their UTC days. */
function daysOf(deployments: readonly Deployment[]): DayOfList[] {
  const days: DayOfList[] = []
  for (const deployment of deployments) {
    const day = utcDayOf(deployment.deployedAt)
    const last = days.at(-1)
    if (last?.day === day) last.deployments.push(deployment)
    else days.push({ day, deployments: [deployment] })
  }
  return days
}

type OlderProps = { address: string; reached?: Date | null | undefined }

function OlderDeployments({ address, reached }: OlderProps): JSX.Element {
  const href = attribute(address)
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
      {reached !== null && reached !== undefined && (
        <p class="hint">
          Searched back to <Day instant={reached} />.
        </p>
      )}
      <p class="unsent" role="alert"></p>
    </nav>
  )
}
