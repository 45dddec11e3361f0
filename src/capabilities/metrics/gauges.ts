import type { Service } from '../../capability.ts'
import { eventLog } from '../../data/event-log.ts'
import type { ReadGauge } from '../../observer.ts'
import type { MetricName } from './catalogue.ts'

type Gauges = Readonly<Partial<Record<MetricName, ReadGauge>>>

export function gaugesOf({ db, bell, streams, config }: Service): Gauges {
  const { latestId } = eventLog(db)
  // One query per scrape: the first of these two gauges reads for both.
  let reading: Promise<number | null> = Promise.resolve(null)
  return {
    async shipfeed_database_up() {
      reading = latestId().catch(() => null)
      return (await reading) === null ? 0 : 1
    },
    shipfeed_last_event_id: () => reading,
    shipfeed_bell_connected: () => (bell.isHeard === null ? null : Number(bell.isHeard)),
    shipfeed_watchers: () => streams.count,
    shipfeed_watchers_limit: () => config.streamsMax,
  }
}
