import { backupAgeSeconds } from '../backups.ts'
import type { Config } from '../config.ts'
import { countReported } from '../data/abuse-reports.ts'
import { eventLog } from '../data/event-log.ts'
import { countWaiting } from '../data/webhooks/operation.ts'
import type { Bell, Db } from '../database/db.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { Metrics } from './metrics.ts'

type Parts = {
  readonly db: Db
  readonly bell: Bell
  readonly streams: EventStreams
  readonly config: Pick<Config, 'streamsMax' | 'webhooks' | 'takesReports' | 'backupEverySeconds' | 'dataDir'>
}

/** Adds the gauges, which are read at each scrape. */
export function addGauges(metrics: Metrics, { db, bell, streams, config }: Parts): void {
  const { latestId } = eventLog(db)
  // One query per scrape: the first of these two gauges reads for both.
  let reading: Promise<number | null> = Promise.resolve(null)
  metrics.gauge('shipfeed_database_up', async () => {
    reading = latestId().catch(() => null)
    return (await reading) === null ? 0 : 1
  })
  metrics.gauge('shipfeed_last_event_id', () => reading)
  metrics.gauge('shipfeed_bell_connected', () => (bell.isHeard === null ? null : Number(bell.isHeard)))
  const { standbys } = db
  if (standbys !== undefined) {
    metrics.gauge('shipfeed_standbys', () => standbys.count)
    metrics.gauge('shipfeed_standbys_read', () => standbys.read)
  }
  if (config.webhooks !== 'off') {
    let counting: Promise<{ waiting: number; oldestSeconds: number } | null> = Promise.resolve(null)
    metrics.gauge('shipfeed_webhooks_waiting', async () => {
      counting = countWaiting(db).catch(() => null)
      return (await counting)?.waiting ?? null
    })
    metrics.gauge('shipfeed_webhooks_oldest_seconds', async () => (await counting)?.oldestSeconds ?? null)
  }
  if (config.takesReports) {
    metrics.gauge('shipfeed_deployments_reported', () => countReported(db).catch(() => null))
  }
  if (config.backupEverySeconds !== null) {
    const everySeconds = config.backupEverySeconds
    metrics.gauge('shipfeed_backup_every_seconds', () => everySeconds)
    metrics.gauge('shipfeed_backup_age_seconds', () => backupAgeSeconds(config.dataDir))
  }
  metrics.gauge('shipfeed_watchers', () => streams.count)
  metrics.gauge('shipfeed_watchers_limit', () => config.streamsMax)
}
