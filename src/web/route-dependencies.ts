import type { TableUse } from '../data/table-uses/table-use.ts'
import type { Db } from '../database/db.ts'
import type { ClientAddress } from '../http/client-address.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { KeptPages } from '../http/kept-pages.ts'
import type { SecurityLog } from '../http/security-log.ts'
import type { Pages } from '../http/visitor.ts'
import type { LiveFeed } from '../live/live-feed.ts'
import type { Log } from '../log/log.ts'
import type { Site } from '../views/page/site.ts'
import type { BodyReader } from './api/posted.ts'
import type { AnswerProject } from './lists/of-user.ts'
import type { Search } from './lists/search.ts'
import type { SettingsSection } from './settings/section.ts'

/** What app.ts gives to every route. Each takes what it needs. */
export type Dependencies = {
  readonly db: Db
  /** What an export and the deletion of an account walk. */
  readonly tables: readonly TableUse[]
  readonly site: Site
  /** What capabilities bring to the settings. */
  readonly sections: readonly SettingsSection[]
  readonly baseUrl: string
  readonly log: Log
  readonly logSecurity: SecurityLog
  readonly clientAddress: ClientAddress
  /** The plugin for pages and forms for browsers. */
  readonly pages: Pages
  readonly kept: KeptPages
  readonly answerProject: AnswerProject
  /** Null if the feed cannot be searched. */
  readonly search: Search | null
  readonly liveFeed: LiveFeed
  readonly streams: EventStreams
  /** The announcements that a user may make in a minute, and the accounts of an address in an hour; 0: no limit. */
  readonly ratePerMinute: number
  readonly signUpsPerHour: number
  /** Of other bodies of POST /api than ours. */
  readonly bodies: readonly BodyReader[]
  readonly onAnnounced: ((outcome: 'created' | 'replayed') => void) | undefined
}
