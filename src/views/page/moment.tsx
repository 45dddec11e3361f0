import { Html } from '@elysiajs/html'
import { timestampOf } from '../../domain/time.ts'

/** When a list was read: by the clock of the database, and after which event of the feed. */
export type Moment = {
  readonly now: Date
  /** The id of the last event, from which a live list continues; null if the list is not live. */
  readonly seen?: number | null
}

/**
 * Tells scripts when the list of a page was read. It is the last element of a page, so that a page that is
 * kept can be sent with the moment of each request: see http/kept-pages.ts.
 */
export function MomentOfList({ now, seen = null }: Moment): JSX.Element {
  return <template id="moment" data-now={timestampOf(now)} data-seen={seen ?? undefined}></template>
}

/** All of a page from that element on, as its layout draws it. */
export function endOfPage(moment: Moment): string {
  return `${MomentOfList(moment)}</body></html>`
}
