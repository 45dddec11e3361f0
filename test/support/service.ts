import { afterAll } from 'bun:test'
import { createApp } from '../../src/app.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { eventLog } from '../../src/data/event-log.ts'
import type { Db } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { type EventStreams, eventStreams } from '../../src/http/event-streams.ts'
import { type LiveFeed, liveFeed } from '../../src/live/live-feed.ts'
import { accountEvents } from '../../src/log/events.ts'
import { createLog } from '../../src/log/log.ts'
import { addGauges } from '../../src/metrics/gauges.ts'
import { metricsOf } from '../../src/metrics/metrics.ts'
import { sendWebhooks, type Webhooks } from '../../src/webhooks.ts'
import { emptyDatabase, openTestDatabase, standInDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { type Checker, checkerOf } from './openapi.ts'

/** A service on a port of its own, and its front door. */
export type Service = {
  readonly url: string
  readonly db: Db
  /** The paths of its router, each once, with parameters as `:name`. */
  readonly paths: readonly string[]
  /** What the service logged for its operator: what failed, and what became of accounts. */
  readonly logged: readonly string[]
  readonly events: readonly string[]
  /** What those who watch depend on, to count them and to kick them. */
  readonly feed: LiveFeed
  readonly streams: EventStreams
  readonly webhooks: Webhooks | undefined
  /** What its OpenAPI document says of answers. */
  readonly described: Checker
  /** What it tells collectors, where METRICS_PORT is set. */
  metrics(): Promise<string>
  /** The requests whose answer is not at its end. */
  pendingRequests(): number
  /**
   * Requests a path, and throws where the OpenAPI document does not describe the answer. Redirects are answers
   * like any other: they are not followed.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
  /** Closes it where a test that says `await using` ends, however that is. */
  [Symbol.asyncDispose](): Promise<void>
}

/** Unlimited, where a test does not say otherwise: all tests come from one address. */
const defaults = { RATE_LIMIT_PER_MINUTE: '0', SIGN_UPS_PER_HOUR: '0', BASE_URL: 'http://shipfeed.test' }

/** The database of this test process, which its files share. It ends with the server of the tests. */
let shared: Promise<Db> | null = null

export function sharedDatabase(): Promise<Db> {
  shared ??= openTestDatabase()
  return shared
}

/**
 * The database is emptied for the next file, which is quicker than another. The preload calls this too, after each file
 * of a parallel run; where one process runs all files, Bun calls the preload only after the last of them.
 */
export async function leaveSharedDatabase(): Promise<void> {
  const database = await shared
  if (database !== null) await emptyDatabase(database)
}

/** Starts a service for all tests of a file, which ends with them. */
export async function useService(...options: Parameters<typeof startService>): Promise<Service> {
  const service = await startService(...options)
  afterAll(async () => {
    await service.close()
    await leaveSharedDatabase()
  })
  return service
}

/** Starts the service, on the shared database or a given one, with these environment variables. */
export async function startService(
  environment: Record<string, string> = {},
  db: Db | null = null,
  port = 0,
): Promise<Service> {
  const config: Config = readConfig({ ...defaults, ...environment })
  const database = db ?? (await sharedDatabase())
  const logged: string[] = []
  const feed = liveFeed(eventLog(database))
  const streams = eventStreams({ perAddress: config.streamsPerAddress, total: config.streamsMax })
  const events: string[] = []
  const metrics = metricsOf(config)
  const log = createLog({
    level: config.logLevel,
    write: (line) => (JSON.parse(line).event in accountEvents ? events : logged).push(line),
    isTerminal: false,
    onError: metrics?.error,
  })
  const observedDb = { ...database, onStatement: metrics?.statement }
  const webhooks = sendWebhooks(observedDb, { config, log, onTried: metrics?.webhook })
  const app = createApp({ db: observedDb, config, log, metrics, liveFeed: feed, streams, webhooks })
  const bell = database.hearBell(() => {
    feed.look()
    webhooks?.dispatcher.look()
  })
  if (metrics !== undefined) addGauges(metrics, { db: database, bell, streams, config })
  app.listen({ hostname: '127.0.0.1', port })
  const url = `http://127.0.0.1:${app.server?.port}`
  const { rateLimitPerMinute: perMinute, membersOnly, publicBadges } = config
  const described = checkerOf({ perMinute, membersOnly, publicBadges })
  return {
    url,
    db: database,
    paths: [...new Set(app.routes.map(({ path }) => path))],
    logged,
    events,
    feed,
    streams,
    webhooks,
    described,
    metrics: async () => (await metrics?.text()) ?? '',
    pendingRequests: () => app.server?.pendingRequests ?? 0,
    fetch: (path, init) => described.fetch(url + path, init),
    close,
    [Symbol.asyncDispose]: close,
  }

  async function close(): Promise<void> {
    streams.close()
    feed.close()
    webhooks?.dispatcher.close()
    await bell.stop()
    await app.server?.stop(true)
  }
}

/** The answers to these requests, sent at once from an address that has as many under way as it may have. */
export async function crowdedOut(
  asks: readonly ((service: Service) => Promise<Response>)[],
): Promise<readonly Response[]> {
  const over = Promise.withResolvers<never>()
  await using service = await startService(
    { OIDC_ISSUERS: 'https://gitlab.example.org' },
    standInDatabase(() => over.promise),
  )
  // Calls of intakes are counted by themselves.
  const underWay = Array.from({ length: 50 }, () => [
    service.fetch('/api/deployments/1'),
    service.fetch('/api/in/github/nobodys-intake-with-22', { method: 'POST', body: '{}' }),
  ]).flat()
  await eventually('all are under way', () => service.pendingRequests() === underWay.length)
  const responses = await Promise.all(asks.map((ask) => ask(service)))
  over.reject(new Unavailable())
  // On a busy machine, the server may have closed some of them because they took so long.
  await Promise.allSettled(underWay)
  return responses
}
