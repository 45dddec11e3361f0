import { Html } from '@elysiajs/html'
import type { FeedEvent } from '../../domain/feed-event.ts'
import { DeploymentEntry, type Place } from '../deployment/entry.tsx'
import { attribute } from '../parts/attribute.ts'
import { keepOnError } from '../parts/htmx.ts'

/** Whether the list is live, and the button that pauses it. Hidden until app.js knows. */
export function LiveState(): JSX.Element {
  return (
    <div class="live" id="live" hidden>
      <p class="live-state" id="live-state" role="status" data-state="connecting">
        Connecting
      </p>
      <button type="button" class="ghost" id="pause">
        Pause
      </button>
    </div>
  )
}

/** The source of a live list: the address of its stream, and the last event that the list holds. */
export type LiveSource = { readonly address: string; readonly seen: number }

/** Where the stream puts new entries; app.js moves them into the list, or says that they wait. */
export function Arrivals({ address, seen }: LiveSource): JSX.Element {
  return (
    <>
      <div class="waiting" role="status">
        <button type="button" id="waiting" hidden></button>
      </div>
      <ol
        id="arrivals"
        hidden
        data-seen={seen}
        hx-sse:connect={attribute(address)}
        hx-trigger="load, every 20s, visibilitychange from:document, online from:window"
        hx-sync="replace"
        hx-swap="afterbegin"
        hx-config='{"sse":{"connectTimeout":10000,"pauseOnBackground":false}}'
        {...keepOnError}
      ></ol>
    </>
  )
}

type LiveEventProps = {
  event: FeedEvent
  place: Place
  /** What was searched for. */
  words?: readonly string[] | undefined
}

/** An event as an open page receives it: a new entry, the removal of one, or that of all of an account. */
export function LiveEvent({ event, place, words }: LiveEventProps): JSX.Element {
  if (event.kind === 'withdrawn') {
    return <li id={`deployment-${event.deploymentId}`} hx-swap-oob="delete"></li>
  }
  if (event.kind === 'account_deleted') return <li data-deleted={event.username}></li>
  const { deployment } = event
  return <DeploymentEntry deployment={deployment} now={deployment.deployedAt} place={place} words={words} />
}

/** In place of deployments that the reader missed while away. */
export function Gap(): JSX.Element {
  return <li class="entry gap">More was deployed in between. Load this page again to see it.</li>
}

/** The line below what came while nobody looked; since-you-looked.js fills it in. */
export function SinceYouLooked(): JSX.Element {
  return (
    <li class="since">
      <span>
        <span class="count"></span> new since you looked, <time class="age short"></time>
      </span>
    </li>
  )
}

/** In place of a list of which all was withdrawn while it is open. */
export function Emptied(): JSX.Element {
  return <p class="empty emptied">Nothing of this list is left. What is deployed next appears here.</p>
}

/** In place of a page whose account is deleted while it is open. */
export function AccountDeleted(): JSX.Element {
  return (
    <template id="account-deleted" data-title="This account was deleted">
      <p role="alert">
        Its deployments and its badges are gone with it. <a href="/">See all deployments</a>
      </p>
    </template>
  )
}
