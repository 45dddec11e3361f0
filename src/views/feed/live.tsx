import { Html } from '@elysiajs/html'
import type { FeedEvent } from '../../domain/feed-event.ts'
import { DeploymentEntry } from '../deployment/entry.tsx'
import { attribute } from '../parts/attribute.ts'
import { keepOnError } from '../parts/htmx.ts'

/** Whether the list is live, and the way to hold it. Hidden until app.js shows what is true. */
export function LiveState(): JSX.Element {
  return (
    <div class="live" id="live" hidden>
      <p class="live-state" id="live-state" role="status" data-state="connecting">
        Connecting
      </p>
      <button type="button" class="button" id="pause">
        Pause
      </button>
    </div>
  )
}

/** Where a list's news come from: a stream's address, and the last event that the list holds. */
export type LiveSource = { readonly address: string; readonly seen: number }

/** Where the stream puts what is new: app.js lets it into the list from here, or says that it waits. */
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
        hx-trigger="load, every 20s, visibilitychange from:document"
        hx-sync="drop"
        hx-swap="afterbegin"
        hx-config='{"sse":{"connectTimeout":10000,"pauseOnBackground":false}}'
        {...keepOnError}
      ></ol>
    </>
  )
}

/** An event to a page that is open: an entry, or the removal of one. It is always of this moment. */
export function LiveEvent({ event }: { event: FeedEvent }): JSX.Element {
  if (event.kind === 'withdrawn') {
    return <li id={`deployment-${event.deploymentId}`} hx-swap-oob="delete"></li>
  }
  return <DeploymentEntry deployment={event.deployment} now={event.deployment.deployedAt} />
}

/** Stands where deployments are missing, because the reader was away for too many of them. */
export function Gap(): JSX.Element {
  return <li class="entry gap">More was deployed in between. Load this page again to see it.</li>
}
