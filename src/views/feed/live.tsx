import { Html } from '@elysiajs/html'
import type { FeedEvent } from '../../domain/feed/feed.ts'
import { DeploymentEntry, type EntryLook } from '../deployment/entry.tsx'
import { keepOnError } from '../parts/form.tsx'
import { escaped } from '../parts/markup.ts'

/**
 * The state of the live connection, and for a list the button that pauses it. Hidden until app.js shows it; its other words
 * are in static/js/connection-state.js.
 */
export function LiveState({ canPause = true }: { canPause?: boolean }): JSX.Element {
  return (
    <div class="live" id="live" hidden>
      <p class="live-state" id="live-state" role="status" data-state="connecting">
        Connecting
      </p>
      {canPause && (
        <button type="button" class="ghost" id="pause">
          Pause
        </button>
      )}
    </div>
  )
}

/** The place where the stream puts new entries; arrivals.js moves them into the list or shows that they are waiting. */
export function Arrivals({ address }: { address: string }): JSX.Element {
  return (
    <>
      <div class="waiting" role="status">
        <button type="button" id="waiting" hidden></button>
      </div>
      <ol
        id="arrivals"
        hidden
        hx-sse:connect={escaped(address)}
        hx-trigger="load, every 20s, visibilitychange from:document, online from:window"
        hx-sync="replace"
        hx-swap="afterbegin"
        hx-config='{"sse":{"connectTimeout":10000,"pauseOnBackground":false}}'
        {...keepOnError}
      ></ol>
    </>
  )
}

/** An event as an open page receives it: a new entry, the removal of an entry, or the removal of an account. */
export function LiveEvent({ event, look }: { event: FeedEvent; look?: EntryLook }): JSX.Element {
  if (event.kind === 'withdrawn')
    return <li id={`deployment-${event.deploymentId}`} hx-swap-oob="delete"></li>
  if (event.kind === 'account_deleted') return <li data-deleted={event.username}></li>
  const { deployment } = event
  return <DeploymentEntry deployment={deployment} now={deployment.deployedAt} {...look} />
}

/** Replaces deployments that the reader missed, if there were too many to send. */
export function Gap(): JSX.Element {
  return <li class="entry gap">Some deployments in between are missing here. Reload the page to see them.</li>
}

/** Replaces an open page after its account was deleted. */
export function AccountDeleted(): JSX.Element {
  return (
    <template id="account-deleted" data-title="This account was deleted">
      <p role="alert">
        Its deployments and badges were deleted with it. <a href="/">See all deployments</a>
      </p>
    </template>
  )
}
