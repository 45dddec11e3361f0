import { createApp } from './app.ts'
import { help } from './commands/help.ts'
import { CommandRefused, passwordLink } from './commands/password-link.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { eventLog } from './data/event-log.ts'
import { upkeep } from './data/upkeep.ts'
import { DatabaseUnusable } from './database/errors.ts'
import { openDatabase } from './database/open.ts'
import { atMost, drainOn } from './drain.ts'
import { eventStreams } from './http/event-stream.ts'
import { liveFeed } from './live/live-feed.ts'
import { openFilesAdvice } from './open-files.ts'
import { openLog } from './operator-log.ts'

/** How long requests in flight may take; the whole exit stays within 6 s (docs/decisions.md#operation). */
const requestsMs = 4_000
const databaseMs = 1_000

const log = openLog()

const [command = 'serve', typed] = process.argv.slice(2)

try {
  await run()
} catch (error) {
  const isExpected = [ConfigError, DatabaseUnusable, CommandRefused].some((type) => error instanceof type)
  const attempt = command === 'serve' ? 'Shipfeed cannot start' : `Shipfeed ${command}`
  console.error(isExpected && error instanceof Error ? `${attempt}: ${error.message}` : error)
  process.exit(1)
}

async function run(): Promise<void> {
  switch (command) {
    case 'serve':
      return await serve(readConfig(process.env))
    case 'password':
      return await passwordLink(readConfig(process.env), typed, { isNew: false })
    case 'account':
      return await passwordLink(readConfig(process.env), typed, { isNew: true })
    case 'help':
      return console.log(help)
    default:
      throw new CommandRefused(`there is no such command.\n\n${help}`)
  }
}

async function serve(config: Config): Promise<void> {
  const db = await openDatabase(config, tell)
  const feed = liveFeed(eventLog(db))
  let isDraining = false
  const streams = eventStreams({ perAddress: config.streamsPerAddress, total: config.streamsMax })
  const app = createApp({ db, config, log, isDraining: () => isDraining, liveFeed: feed, streams })
  const stopHearing = db.hearBell(feed.look)
  let stopUpkeep = () => {}
  listen(app, config)
  drainOn(['SIGTERM', 'SIGINT'], async () => {
    isDraining = true
    tell('Shipfeed ends, and answers what is in flight')
    // Meanwhile a balancer notices that it is not ready, and sends requests elsewhere.
    await Bun.sleep(config.drainSeconds * 1_000)
    // The server waits for open streams, so they end first.
    streams.close()
    feed.close()
    stopUpkeep()
    await atMost(requestsMs, app.server?.stop())
    await atMost(databaseMs, stopHearing().then(db.close))
  })

  console.log(`Shipfeed listens on ${config.host}:${app.server?.port}, public address ${config.baseUrl}`)
  if (config.databaseUrl === null) {
    console.log(`Its data is in ${config.dataDir} (embedded Postgres; set DATABASE_URL for your own)`)
  } else {
    console.log('Its data is in the Postgres of DATABASE_URL')
  }
  const advice = openFilesAdvice(config.streamsMax)
  if (advice !== null) tell(advice)
  await db.migrated
  stopUpkeep = upkeep(db, console.error)
}

function tell(news: string): void {
  log(JSON.stringify({ at: new Date().toISOString(), news }))
}

function listen(app: ReturnType<typeof createApp>, { host, port }: Config): void {
  try {
    // By default Elysia lets two processes share a port, which here would be a mistake.
    app.listen({ hostname: host, port, reusePort: false })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new ConfigError(
      `PORT ${port} of HOST ${host} cannot be listened on (${code}): free it, or set another`,
    )
  }
}
