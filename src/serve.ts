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

/**
 * The exit stays within 6 s (docs/decisions.md#operation). The goodbyes of a crowd take half of what there is for
 * them and for requests in flight: the rest is as long as any answer may take.
 */
const goodbyesMs = 2_500
const goodbyesAndRequestsMs = 5_000
const databaseMs = 750
/** While a database does not come, a process without others listens nevertheless, and says so on /readyz. */
const listenWithinMs = 5_000

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
  const stopAnswering = config.databaseUrl === null ? answerOperator(db, config, tell) : () => {}
  drainOn(['SIGTERM', 'SIGINT'], async () => {
    isDraining = true
    log('ending', { message: 'Shipfeed ends, and answers what is in flight' })
    // The kernel gives new connections to the others of the port, if there is no listener here.
    const stopped = config.reusePort ? app.server?.stop() : undefined
    // Meanwhile a balancer notices that it is not ready, and sends requests elsewhere.
    await Bun.sleep(config.drainSeconds * 1_000)
    const began = performance.now()
    // The server waits for open streams, so they end first.
    await streams.close(goodbyesMs)
    feed.close()
    stopUpkeep()
    stopBackups()
    stopAnswering()
    await atMost(goodbyesAndRequestsMs - (performance.now() - began), stopped ?? app.server?.stop())
    await atMost(databaseMs, bell.stop().then(db.close))
  })

  // Others of the port, or behind the same proxy, serve meanwhile: nothing should come before it can be answered.
  await (config.reusePort ? db.migrated : atMost(listenWithinMs, db.migrated))
  listen(app, config)
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

function listen(app: ReturnType<typeof createApp>, { host, port, reusePort }: Config): void {
  // By default Elysia lets two processes share a port, which nobody should come to by mistake.
  bind(
    `PORT ${port} of HOST ${host}`,
    () => app.listen({ hostname: host, port, reusePort }),
    reusePort ? 'every process of it needs REUSE_PORT=on and the same user' : undefined,
  )
}

/** Serves the metrics, and gives their address. */
function publish({ text }: Metrics, { metricsHost: host, metricsPort }: Config): string {
  const port = metricsPort ?? 0
  return bind(`METRICS_PORT ${port} of METRICS_HOST ${host}`, () => serveMetrics({ host, port, text }))
}

function bind<Result>(where: string, listen: () => Result, advice = 'free it, or set another'): Result {
  try {
    return listen()
  } catch (error) {
    throw new ConfigError(`${where} cannot be listened on (${codeOf(error) ?? error}): ${advice}`)
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
