import type { Db } from '../database/db.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { KeptPages } from '../http/kept-pages.ts'
import type { SecurityLog } from '../http/security-log.ts'
import type { Pages } from '../http/visitor.ts'
import type { LiveFeed } from '../live/live-feed.ts'
import type { Log } from '../log/log.ts'
import type { IdentityTokens } from '../outbound/identity-token.ts'
import type { Site } from '../views/page/site.ts'
import type { AnswerProject } from './lists/of-user.ts'

/** What app.ts gives to every route. Each takes what it needs. */
export type Dependencies = {
  readonly db: Db
  readonly site: Site
  readonly baseUrl: string
  readonly log: Log
  readonly logSecurity: SecurityLog
  readonly clientAddress: ClientAddress
  /** The plugin for pages and forms for browsers. */
  readonly pages: Pages
  readonly kept: KeptPages
  readonly answerProject: AnswerProject
  readonly liveFeed: LiveFeed
  readonly streams: EventStreams
  /** Null if no issuers are configured. */
  readonly identityTokens: IdentityTokens | null
  /** The announcements that a user may make in a minute, and the accounts of an address in an hour; 0: no limit. */
  readonly ratePerMinute: number
  readonly signUpsPerHour: number
  readonly onAnnounced: ((outcome: 'created' | 'replayed') => void) | undefined
}
