import { Html } from '@elysiajs/html'
import type { FeedEvent } from '../domain/feed-event.ts'
import { DeploymentEntry } from './deployment.tsx'

/** What an event is to a page that is open: an entry, or the removal of one. */
export function LiveEvent({ event, now }: { event: FeedEvent; now: Date }): JSX.Element {
  if (event.kind === 'withdrawn') {
    return <li id={`deployment-${event.deploymentId}`} hx-swap-oob="delete"></li>
  }
  return <DeploymentEntry deployment={event.deployment} now={now} />
}

/** Stands where deployments are missing, because the reader was away for too many of them. */
export function Gap(): JSX.Element {
  return (
    <li class="gap">
      There are more deployments in between. <a href="">Load the page again</a> to see them.
    </li>
  )
}
