import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { eventLog } from '../../src/data/event-log.ts'
import { eventStreams } from '../../src/http/event-stream.ts'
import { liveFeed } from '../../src/live/live-feed.ts'
import { sharedDatabase } from './service.ts'

/** The paths of the router, each once, with its parameters as `:name`. */
export async function routePaths(): Promise<readonly string[]> {
  const db = await sharedDatabase()
  const parts = { liveFeed: liveFeed(eventLog(db)), streams: eventStreams({ perAddress: 1, total: 1 }) }
  const app = createApp({ db, config: readConfig({}), log: () => {}, ...parts })
  return [...new Set(app.routes.map(({ path }) => path))]
}
