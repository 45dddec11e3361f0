import { assemble } from './app.ts'
import { type Capability, type Configuration, observerOf } from './capability.ts'
import { type Command, program } from './commands/command.ts'
import { noteSettings } from './data/service-settings.ts'
import { upkeep } from './data/upkeep/upkeep.ts'
import type { Report } from './database/db.ts'
import { isOutage } from './database/errors.ts'
import { hasLocalDatabase } from './database/local/directory.ts'
import { openDatabase } from './database/open.ts'
import { eventStreams } from './http/event-streams.ts'
import { bind } from './listening.ts'
import { createLog, errorFacts, onceAMinute, standardError } from './log/log.ts'
import { openFilesAdvice, streamsThatFit } from './open-files-limit.ts'
import { tables } from './table-uses.ts'

/** After this time the process listens even without the database, and /readyz says what is missing. */
const listenWithinMs = 5_000

/**
 * After draining, the process exits within 6 s (docs/decisions.md#operation). Ending the streams takes at most half of
 * `streamsAndRequestsMs`, so requests in flight still have as long as the slowest answer needs.
 */
const streamsMs = 2_500
const streamsAndRequestsMs = 5_000
/** A Postgres of ours that takes longer ends after us, and a next start waits for it. */
const allMs = 5_750

/** Under npm and bun, one Ctrl-C arrives twice: from the terminal, and passed on by the parent. */
const sameSignalMs = 500

export const serveName = 'serve'

export const serveCommand = (
  capabilities: readonly Capability[],
  readConfiguration: () => Configuration,
): Command => ({
  name: serveName,
  summary: 'run the service; this is also what happens without a command',
  usage: `${program} serve\n\nFor example: PORT=8080 ${program} serve`,
  alone: () => start(capabilities, readConfiguration()),
})

async function start(capabilities: readonly Capability[], configuration: Configuration): Promise<void> {
  const { config, configured } = configuration
  const observer = observerOf(capabilities, configuration)
  const log = createLog({
    level: config.logLevel,
    write: standardError(),
    isTerminal: process.stderr.isTTY,
    onError: observer?.error,
  })
  const report: Report = (message, event) => log(event ?? 'news', { message })
  for (const { prepare } of configured) await prepare?.({ tables, report })
  if (config.databaseUrl !== null && hasLocalDatabase(config.dataDir))
    report(`The database in ${config.dataDir} is not used, because DATABASE_URL is set`)
  const standbys = configured.map((part) => part.standbys).find((one) => one !== undefined)
  const opened = await openDatabase({ ...config, standbys }, report)
  const db = { ...opened, onStatement: observer?.statement }
  let isDraining = false
  // One event may end the streams of 10,000 readers.
  const logStreamFailure = onceAMinute(log)
  const streams = eventStreams({
    perAddress: config.streamsPerAddress,
    total: streamsThatFit(config.streamsMax),
    onFailure(error) {
      // Requests already log an outage of the database.
      if (!isOutage(error)) logStreamFailure('stream_failed', () => errorFacts(error, { withStack: true }))
    },
  })
  const { app, bell, jobs, onMigrated, stop } = assemble({
    ...{ configuration, db, tables, log, streams, observer },
    isDraining: () => isDraining,
  })
  const isLocal = config.databaseUrl === null
  const stops = [stop]
  stopOnSignal(async () => {
    isDraining = true
    log('ending', { message: 'Shipfeed is stopping, and answers the requests in flight' })
    // On a shared port, the kernel then gives new connections to the other processes.
    const stopped = config.reusePort ? app.server?.stop() : undefined
    // A balancer sees on /readyz that this process is draining, and sends requests elsewhere.
    await Bun.sleep(config.drainSeconds * 1_000)
    const begunAt = performance.now()
    // Before the server, which waits for open streams.
    await streams.close(streamsMs)
    for (const stop of stops) stop()
    const leftOf = (milliseconds: number) => milliseconds - (performance.now() - begunAt)
    await atMost(leftOf(streamsAndRequestsMs), stopped ?? app.server?.stop())
    await atMost(leftOf(allMs), bell.stop().then(db.close))
  })

  const { host, port, reusePort } = config
  // By default, Elysia lets two processes share a port, which would hide a mistake.
  const listen = () =>
    bind('PORT', { host, port }, () => app.listen({ hostname: host, port, reusePort }), reusePort)
  if (isLocal) {
    // No other process can serve this directory, so a page that reloads is better than a refused connection.
    listen()
    await db.migrated
  } else {
    // Other processes may serve on this port or behind the proxy, so this one first waits until it can answer.
    await (reusePort ? db.migrated : atMost(listenWithinMs, db.migrated))
    listen()
  }
  console.log(`Shipfeed listens on ${host}:${app.server?.port}`)
  const place = `${config.dataDir} (a local Postgres; set DATABASE_URL for your own)`
  console.log(`Its data is in ${isLocal ? place : 'the Postgres server in DATABASE_URL'}`)
  const advice = openFilesAdvice(config.streamsMax)
  if (advice !== null) log('open_files_few', { message: advice })
  await db.migrated
  console.log(`Open ${config.baseUrl}`)
  // A database that cannot be written to now may be so later.
  await noteSettings(db, configuration.service).catch((error) => {
    if (!isOutage(error)) throw error
  })
  const onUpkeepFailed = (error: unknown) => log('upkeep_failed', errorFacts(error, { withStack: true }))
  stops.push(upkeep(db, { jobs, tables }, onUpkeepFailed))
  onMigrated()
}

/** Stops and exits with 0 on the first signal. Exits at once on a second one. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stoppingSince: number | null = null
  const onSignal = () => {
    if (stoppingSince === null) {
      stoppingSince = performance.now()
      void stop().finally(() => process.exit(0))
    } else if (performance.now() - stoppingSince > sameSignalMs) {
      process.exit(1)
    }
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
}

/** Waits for work, but no longer than this. */
async function atMost(milliseconds: number, work: Promise<unknown> | undefined): Promise<void> {
  await Promise.race([work, Bun.sleep(milliseconds)])
}
