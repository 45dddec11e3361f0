import { version } from '../package.json'
import { words } from './badge/status.ts'
import type { Config } from './config.ts'
import { eventLog } from './data/event-log.ts'
import type { Bell, Db } from './database/db.ts'
import { announceProblems } from './domain/problem.ts'
import type { EventStreams } from './http/event-streams.ts'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { openFilesLimit } from './open-files.ts'

/** The metrics of a configuration; undefined where nobody asks for them, and then nothing is measured. */
export function metricsOf({ metricsPort, rateLimitPerMinute }: Config): Metrics | undefined {
  if (metricsPort === null) return undefined
  return createMetrics({
    version,
    openFilesLimit: openFilesLimit(),
    badgeStatuses: Object.keys(words),
    announcementOutcomes: [
      ...['created', 'replayed'],
      ...announceProblems(rateLimitPerMinute).filter((code) => code !== 'method_not_allowed'),
    ],
  })
}

type Parts = {
  readonly db: Db
  readonly bell: Bell
  readonly streams: EventStreams
  readonly config: Pick<Config, 'streamsMax'>
}

/** Adds what is not counted but read when somebody asks. */
export function addReadings(metrics: Metrics, { db, bell, streams, config }: Parts): void {
  const { latestId } = eventLog(db)
  // One query an answer: the first of these two reads for both.
  let reading: Promise<number | null> = Promise.resolve(null)
  metrics.gauge('shipfeed_database_up', 'Whether the database answers now, 1 or 0.', async () => {
    reading = latestId().catch(() => null)
    return (await reading) === null ? 0 : 1
  })
  metrics.gauge('shipfeed_last_event_id', 'The id of the last event of the feed.', () => reading)
  metrics.gauge(
    'shipfeed_bell_connected',
    'Whether the bell of the database is heard, 1 or 0: without it, feeds are up to 5 s late. None with BELL=poll.',
    () => (bell.isHeard === null ? null : Number(bell.isHeard)),
  )
  const { standbysRead } = db
  if (standbysRead !== undefined) {
    metrics.gauge('shipfeed_standbys_read', 'How many standbys are read from now.', standbysRead)
  }
  metrics.gauge('shipfeed_watchers', 'Open feeds.', () => streams.count)
  metrics.gauge('shipfeed_watchers_limit', 'How many may be open: STREAMS_MAX.', () => config.streamsMax)
}
