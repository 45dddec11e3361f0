import { join } from 'node:path'
import { createApp } from './app.ts'
import { keepBackups } from './commands/backups.ts'
import { type Command, program } from './commands/command.ts'
import { serveOperator } from './commands/operator-socket.ts'
import { commands } from './commands/table.ts'
import type { Config } from './config.ts'
import { eventLog } from './data/event-log.ts'
import { upkeep } from './data/upkeep/upkeep.ts'
import type { Db } from './database/db.ts'
import { codeOf } from './database/errors.ts'
import { openDatabase } from './database/open.ts'
import type { Tell } from './database/tell.ts'
import { atMost, drainOn } from './drain.ts'
import { ConfigError } from './environment.ts'
import { eventStreams } from './http/event-streams.ts'
import { liveFeed } from './live/live-feed.ts'
import { errorFacts } from './log/error-facts.ts'
import { createLog } from './log/log.ts'
import { standardError } from './log/output.ts'
import { addReadings, metricsOf } from './metering.ts'
import type { Metrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/server.ts'
import { openFilesAdvice } from './open-files.ts'

/** How long requests in flight may take; the whole exit stays within 6 s (docs/decisions.md#operation). */
const requestsMs = 4_000
const databaseMs = 1_000

/** `serve`: the service itself. */
export const serve: Command = {
  name: 'serve',
  summary: 'run the service (without a command, too)',
  usage: `${program} serve\n\nFor example: PORT=8080 ${program} serve`,
  prepare: () => ({ alone: ({ readConfig }) => start(readConfig()) }),
}

async function start(config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel, write: standardError(), isTerminal: process.stderr.isTTY })
  const tell: Tell = (message, event) => log(event ?? 'news', { message })
  const metrics = metricsOf(config)
  const db = { ...(await openDatabase(config, tell)), onStatement: metrics?.statement }
  const feed = liveFeed(eventLog(db))
  let isDraining = false
  const streams = eventStreams({ perAddress: config.streamsPerAddress, total: config.streamsMax })
  const app = createApp({ db, config, log, metrics, isDraining: () => isDraining, liveFeed: feed, streams })
  const bell = db.hearBell(feed.look)
  if (metrics !== undefined) {
    addReadings(metrics, { db, bell, streams, config })
    log('metrics_on', { message: `The metrics are at ${publish(metrics, config)}` })
  }
  let stopUpkeep = () => {}
  let stopBackups = () => {}
  listen(app, config)
  const stopAnswering = config.databaseUrl === null ? answerOperator(db, config, tell) : () => {}
  drainOn(['SIGTERM', 'SIGINT'], async () => {
    isDraining = true
    log('ending', { message: 'Shipfeed ends, and answers what is in flight' })
    // Meanwhile a balancer notices that it is not ready, and sends requests elsewhere.
    await Bun.sleep(config.drainSeconds * 1_000)
    // The server waits for open streams, so they end first.
    streams.close()
    feed.close()
    stopUpkeep()
    stopBackups()
    stopAnswering()
    await atMost(requestsMs, app.server?.stop())
    await atMost(databaseMs, bell.stop().then(db.close))
  })

  console.log(`Shipfeed listens on ${config.host}:${app.server?.port}, public address ${config.baseUrl}`)
  if (config.databaseUrl === null) {
    console.log(`Its data is in ${config.dataDir} (embedded Postgres; set DATABASE_URL for your own)`)
  } else {
    console.log('Its data is in the Postgres of DATABASE_URL')
  }
  const advice = openFilesAdvice(config.streamsMax)
  if (advice !== null) log('open_files_few', { message: advice })
  await db.migrated
  stopUpkeep = upkeep(db, (error) => log('upkeep_failed', errorFacts(error, { withStack: true })))
  if (config.backupEverySeconds !== null) {
    const everyMs = config.backupEverySeconds * 1_000
    const folder = join(config.dataDir, 'backups')
    stopBackups = keepBackups(db, { folder, everyMs, keep: config.backupKeep }, log)
  }
}

function listen(app: ReturnType<typeof createApp>, { host, port }: Config): void {
  // By default Elysia lets two processes share a port, which here would be a mistake.
  bind(`PORT ${port} of HOST ${host}`, () => app.listen({ hostname: host, port, reusePort: false }))
}

/** Serves the metrics, and gives their address. */
function publish({ text }: Metrics, { metricsHost: host, metricsPort }: Config): string {
  const port = metricsPort ?? 0
  return bind(`METRICS_PORT ${port} of METRICS_HOST ${host}`, () => serveMetrics({ host, port, text }))
}

function bind<Result>(where: string, listen: () => Result): Result {
  try {
    return listen()
  } catch (error) {
    throw new ConfigError(
      `${where} cannot be listened on (${codeOf(error) ?? error}): free it, or set another`,
    )
  }
}

/** Without it the service is whole, and only its operator's commands have to wait until it is stopped. */
function answerOperator(db: Db, config: Config, tell: (news: string) => void): () => void {
  try {
    return serveOperator(config.dataDir, commands, { db, config })
  } catch (error) {
    tell(
      `Commands work only while Shipfeed is stopped: DATA_DIR "${config.dataDir}" takes no socket (${codeOf(error) ?? error})`,
    )
    return () => {}
  }
}
