import { join } from 'node:path'
import { version } from '../package.json'
import { createApp } from './app.ts'
import { keepBackups } from './backups.ts'
import { statusWords } from './badge/status.ts'
import type { Command } from './commands/command.ts'
import { program, refuseWords } from './commands/command.ts'
import { serveOperator } from './commands/operator-socket.ts'
import { commands } from './commands/table.ts'
import type { Config } from './config.ts'
import { eventLog } from './data/event-log.ts'
import { countReported } from './data/reports.ts'
import type { Pruning } from './data/upkeep/pruner.ts'
import { upkeep } from './data/upkeep/upkeep.ts'
import { countWaiting } from './data/webhooks/operation.ts'
import type { Bell, Db, Report } from './database/db.ts'
import { codeOf, isOutage } from './database/errors.ts'
import { openDatabase } from './database/open.ts'
import { announceProblems } from './domain/problem.ts'
import { dateOf } from './domain/time.ts'
import type { EventStreams } from './http/open-streams.ts'
import { eventStreams } from './http/open-streams.ts'
import { liveFeed } from './live/live-feed.ts'
import type { Log } from './log/log.ts'
import { createLog, errorFacts, onceAMinute, standardError } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import { createMetrics } from './metrics/metrics.ts'
import { serveMetrics } from './metrics/server.ts'
import { openFilesAdvice, openFilesLimit } from './open-files.ts'
import { ConfigError } from './settings-reader.ts'
import { atMost, stopOn, stopService } from './stop.ts'
import { sendWebhooks } from './webhooks.ts'

/** After this time the process listens even without the database, and /readyz says what is missing. */
const listenWithinMs = 5_000

/** `serve`: the service itself. */
export const serveCommand: Command = {
  name: 'serve',
  summary: 'run the service; this is also what happens without a command',
  usage: `${program} serve\n\nFor example: PORT=8080 ${program} serve`,
  prepare(words) {
    refuseWords(serveCommand, words)
    return { alone: ({ readConfig }) => start(readConfig()) }
  },
}

async function start(config: Config): Promise<void> {
  const log = createLog({ level: config.logLevel, write: standardError(), isTerminal: process.stderr.isTTY })
  const report: Report = (message, event) => log(event ?? 'news', { message })
  const metrics = metricsOf(config)
  const db = { ...(await openDatabase(config, report)), onStatement: metrics?.statement }
  const feed = liveFeed(eventLog(db))
  let isDraining = false
  const streams = eventStreams({
    perAddress: config.streamsPerAddress,
    total: config.streamsMax,
    onFailure: streamFailures(log),
  })
  const webhooks = sendWebhooks(db, { config, log, onTried: metrics?.webhook })
  const parts = { db, config, log, metrics, liveFeed: feed, streams, webhooks }
  const app = createApp({ ...parts, isDraining: () => isDraining })
  const bell = db.hearBell(() => {
    feed.look()
    webhooks?.follower.look()
  })
  if (metrics !== undefined) {
    addReadings(metrics, { db, bell, streams, config })
    log('metrics_on', { message: `The metrics are at ${publish(metrics, config)}` })
  }
  let stopUpkeep = () => {}
  let stopBackups = () => {}
  const stopAnswering = config.databaseUrl === null ? answerOperator(db, config, report) : () => {}
  stopOn(['SIGTERM', 'SIGINT'], async () => {
    isDraining = true
    log('ending', { message: 'Shipfeed is stopping, and answers the requests in flight' })
    await stopService({
      drainMs: config.drainSeconds * 1_000,
      isPortShared: config.reusePort,
      stopListening: () => app.server?.stop(),
      endStreams: streams.close,
      stopWork() {
        feed.close()
        webhooks?.follower.close()
        stopUpkeep()
        stopBackups()
        stopAnswering()
      },
      closeDatabase: () => bell.stop().then(db.close),
    })
  })

  if (config.databaseUrl === null) {
    // No other process can serve this directory, so a page that reloads is better than a refused connection.
    listen(app, config)
    await db.migrated
  } else {
    // Others may serve on this port or behind the proxy, so this one first waits until it can answer.
    await (config.reusePort ? db.migrated : atMost(listenWithinMs, db.migrated))
    listen(app, config)
  }
  console.log(`Shipfeed listens on ${config.host}:${app.server?.port}, public address ${config.baseUrl}`)
  if (config.databaseUrl === null) {
    console.log(`Its data is in ${config.dataDir} (embedded Postgres; set DATABASE_URL for your own)`)
  } else {
    console.log('Its data is in the Postgres of DATABASE_URL')
  }
  const advice = openFilesAdvice(config.streamsMax)
  if (advice !== null) log('open_files_few', { message: advice })
  await db.migrated
  if (process.stdout.isTTY) console.log(`Open ${config.baseUrl}`)
  const intakes = { ratePerMinute: config.rateLimitPerMinute, onAnnounced: metrics?.announcement }
  stopUpkeep = upkeep(db, { intakes, pruning: pruningOf(config, log) }, (error) =>
    log('upkeep_failed', errorFacts(error, { withStack: true })),
  )
  if (config.backupEverySeconds !== null) {
    const everyMs = config.backupEverySeconds * 1_000
    const folder = join(config.dataDir, 'backups')
    stopBackups = keepBackups(db, { folder, everyMs, keep: config.backupKeep }, log)
  }
}

/** What PRUNE_AFTER asks of the upkeep; null if it is not set. */
function pruningOf({ pruneAfterDays, databaseUrl }: Config, log: Log): Pruning | null {
  if (pruneAfterDays === null) return null
  return {
    afterDays: pruneAfterDays,
    isEmbedded: databaseUrl === null,
    onPruned(before, { gone, kept }) {
      const message = `Deleted ${gone} deployments from before ${dateOf(before)}; ${kept} more are the last of their user, target or environment, and stay`
      log('pruned', { message })
    },
  }
}

/** Logs streams that a fault ended, at most once a minute: one event may end those of 10,000 readers. */
function streamFailures(log: Log): (error: unknown) => void {
  const failureToTell = onceAMinute()
  return (error) => {
    // Requests already log an outage of the database.
    if (isOutage(error)) return
    const keptBack = failureToTell(performance.now())
    if (keptBack === null) return
    const facts = errorFacts(error, { withStack: true })
    log('stream_failed', { ...facts, alikeSinceTheLast: keptBack || undefined })
  }
}

function listen(app: ReturnType<typeof createApp>, { host, port, reusePort }: Config): void {
  // By default, Elysia lets two processes share a port, which would hide a mistake.
  bind('PORT', { host, port }, () => app.listen({ hostname: host, port, reusePort }), reusePort)
}

/** Serves the metrics, and returns their address. */
function publish({ text }: Metrics, { metricsHost: host, metricsPort }: Config): string {
  const port = metricsPort ?? 0
  return bind('METRICS_PORT', { host, port }, () => serveMetrics({ host, port, text }))
}

/** Listens, or throws a ConfigError that names the setting of the port. */
function bind<Result>(
  setting: 'PORT' | 'METRICS_PORT',
  { host, port }: { readonly host: string; readonly port: number },
  listen: () => Result,
  isShared = false,
): Result {
  try {
    return listen()
  } catch (error) {
    const code = codeOf(error)
    const others = isShared ? ', or start it with REUSE_PORT=on and as the same user' : ''
    throw new ConfigError(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use. Stop what uses it${others}, or set ${setting}.`
        : `cannot listen on ${setting} ${port} of ${setting.replace('PORT', 'HOST')} ${host} (${code ?? error}): set another`,
    )
  }
}

/** Runs the operator's commands. If it cannot, commands have to wait until the service stops. */
function answerOperator(db: Db, config: Config, report: (news: string) => void): () => void {
  try {
    return serveOperator(config.dataDir, commands, { db, config })
  } catch (error) {
    report(
      `Commands work only while Shipfeed is stopped: no socket can be made in DATA_DIR "${config.dataDir}" (${codeOf(error) ?? error})`,
    )
    return () => {}
  }
}

/** The metrics of a process. Without METRICS_PORT, it is undefined, and nothing is measured. */
export function metricsOf({ metricsPort, rateLimitPerMinute }: Config): Metrics | undefined {
  if (metricsPort === null) return undefined
  return createMetrics({
    version,
    openFilesLimit: openFilesLimit(),
    badgeStatuses: Object.keys(statusWords),
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
  readonly config: Pick<Config, 'streamsMax' | 'webhooks' | 'takesReports'>
}

/** Adds the gauges, which are read at each scrape. */
export function addReadings(metrics: Metrics, { db, bell, streams, config }: Parts): void {
  const { latestId } = eventLog(db)
  // One query per scrape: the first of these two gauges reads for both.
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
  if (config.webhooks !== 'off') {
    let counting: Promise<{ waiting: number; oldestSeconds: number } | null> = Promise.resolve(null)
    metrics.gauge(
      'shipfeed_webhooks_waiting',
      'Webhooks with an event to send, without paused ones.',
      async () => {
        counting = countWaiting(db).catch(() => null)
        return (await counting)?.waiting ?? null
      },
    )
    metrics.gauge(
      'shipfeed_webhooks_oldest_seconds',
      'How long the oldest event has waited for a webhook that does not fail.',
      async () => (await counting)?.oldestSeconds ?? null,
    )
  }
  if (config.takesReports) {
    metrics.gauge(
      'shipfeed_deployments_reported',
      'Deployments that readers reported, and whose reports the operator has not dismissed.',
      () => countReported(db).catch(() => null),
    )
  }
  metrics.gauge('shipfeed_watchers', 'Open feeds.', () => streams.count)
  metrics.gauge('shipfeed_watchers_limit', 'How many may be open: STREAMS_MAX.', () => config.streamsMax)
}
