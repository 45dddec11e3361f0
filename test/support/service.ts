import { afterAll } from 'bun:test'
import { assemble } from '../../src/app.ts'
import { capabilities } from '../../src/capabilities.ts'
import { type Capability, observerOf } from '../../src/capability.ts'
import type { Db } from '../../src/database/db.ts'
import { Unavailable } from '../../src/database/errors.ts'
import { type EventStreams, eventStreams } from '../../src/http/event-streams.ts'
import type { LiveFeed } from '../../src/live/live-feed.ts'
import { accountEvents } from '../../src/log/events.ts'
import { createLog } from '../../src/log/log.ts'
import { configurationOf } from './configuration.ts'
import { emptyDatabase, openTestDatabase, standInDatabase } from './database.ts'
import { eventually } from './eventually.ts'
import { addedBy, type Checker, checkerOf } from './openapi.ts'

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
  /** What its OpenAPI document says of answers. */
  readonly described: Checker
  /** What it tells collectors, where METRICS_PORT is set. */
  metrics(): Promise<string>
  /** Tells it again that its database has our schema, on which webhooks look for what they have to send. */
  migrated(): void
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

/** Starts the service, on the shared database or a given one, with these environment variables and capabilities. */
export async function startService(
  environment: Record<string, string> = {},
  db: Db | null = null,
  port = 0,
  listed: readonly Capability[] = capabilities,
): Promise<Service> {
  const configuration = configurationOf({ ...defaults, ...environment }, listed)
  const { config, tables, site } = configuration
  const observer = observerOf(listed, configuration)
  const database = db ?? (await sharedDatabase())
  const logged: string[] = []
  const streams = eventStreams({ perAddress: config.streamsPerAddress, total: config.streamsMax })
  const events: string[] = []
  let measuredAt = ''
  const log = createLog({
    level: config.logLevel,
    write(line) {
      const { event, message } = JSON.parse(line)
      if (event === 'metrics_on') measuredAt = message.replace(/^.* /, '')
      else (event in accountEvents ? events : logged).push(line)
    },
    isTerminal: false,
    onError: observer?.error,
  })
  const observedDb = { ...database, onStatement: observer?.statement }
  const parts = { configuration, db: observedDb, tables, log, streams, observer }
  const { app, bell, feed, onMigrated, stop } = assemble(parts)
  database.migrated.then(onMigrated, () => {})
  app.listen({ hostname: '127.0.0.1', port })
  const url = `http://127.0.0.1:${app.server?.port}`
  const { rateLimitPerMinute: perMinute } = config
  const { membersOnly = false, publicBadges = true } = site
  const described = checkerOf({ perMinute, membersOnly, publicBadges, added: addedBy(configuration) })
  return {
    url,
    db: database,
    paths: [...new Set(app.routes.map(({ path }) => path))],
    logged,
    events,
    feed,
    streams,
    described,
    metrics: async () => await (await fetch(measuredAt)).text(),
    migrated: onMigrated,
    pendingRequests: () => app.server?.pendingRequests ?? 0,
    fetch: (path, init) => described.fetch(url + path, init),
    close,
    [Symbol.asyncDispose]: close,
  }

  async function close(): Promise<void> {
    streams.close()
    stop()
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
