import { readdirSync } from 'node:fs'
import { version } from '../../package.json'
import { statusWords } from '../badge/words-and-colours.ts'
import type { Config } from '../config.ts'
import { announceProblems } from '../domain/problems.ts'
import type { Answered } from '../http/request-log.ts'
import { openFilesLimit } from '../open-files-limit.ts'
import { Counter, type Family, Histogram, reading, type Series, textOf } from './prometheus.ts'

/** The buckets that OpenTelemetry recommends for requests, in seconds. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** In seconds; a statement is abandoned after 2 s. */
const statementBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Clients may send any method; the ones that are not listed count as `other`. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other']

export type Metrics = NonNullable<ReturnType<typeof metricsOf>>

/** The metrics of a process (docs/operations.md#metrics). Undefined without METRICS_PORT; then nothing is measured. */
export function metricsOf({ metricsPort, rateLimitPerMinute }: Config) {
  if (metricsPort === null) return undefined
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took until their answer began, by the pattern of their address.',
    bounds: requestBounds,
  })
  const badges = new Counter({
    name: 'shipfeed_badges_total',
    help: 'Badges by what they said, images and JSON.',
    label: 'status',
    known: Object.keys(statusWords),
  })
  const announcements = new Counter({
    name: 'shipfeed_announcements_total',
    help: 'Calls of POST /api, by outcome.',
    label: 'outcome',
    known: [
      ...['created', 'replayed'],
      ...announceProblems(rateLimitPerMinute).filter((code) => code !== 'method_not_allowed'),
    ],
  })
  const webhookMessages = new Counter({
    name: 'shipfeed_webhook_messages_total',
    help: 'Attempts to send a message to a webhook, by outcome.',
    label: 'outcome',
    known: ['sent', 'failed'],
  })
  const sizes = new Histogram({
    name: 'shipfeed_batch_size',
    help: 'How many calls one statement answered together.',
    bounds: sizeBounds,
  })
  const statements = new Histogram({
    name: 'shipfeed_statement_seconds',
    help: 'How long a statement that answers calls together took.',
    bounds: statementBounds,
  })
  const own = [requests, announcements, badges, webhookMessages, sizes, statements, eventLoopLag()]
  const build = { name: 'shipfeed_build_info', help: 'Always 1.', labels: { version, bun: Bun.version } }
  const families: Family[] = [...own, ...processMetrics(), reading('gauge', build, () => 1)]

  const byStatement = new Map<string, readonly Series[]>()
  /** One level of maps for each label costs a third of one map with a key made of all three. */
  const byRoute = new Map<string, Map<number, Map<string, Series>>>()

  function seriesOf(route: string, status: number, method: string): Series {
    const known = byRoute.get(route)?.get(status)?.get(method)
    if (known !== undefined) return known
    if (!methods.includes(method)) return seriesOf(route, status, 'other')
    const added = requests.series({ method, route, status: String(status) })
    const byStatus = byRoute.get(route) ?? new Map<number, Map<string, Series>>()
    const byMethod = byStatus.get(status) ?? new Map<string, Series>()
    byRoute.set(route, byStatus.set(status, byMethod.set(method, added)))
    return added
  }

  return {
    /** Counts an answer; a failed announcement or badge is also counted by its problem. */
    answer({ request: { method }, route, status, seconds, code }: Answered): void {
      seriesOf(route || 'none', status, method).observe(seconds)
      if (code === undefined) return
      if (route === '/api' && method === 'POST') announcements.count(code)
      if (route === '/badge/:file' && code === 'unavailable') badges.count('Unavailable')
    },
    badge: (status: string): void => badges.count(status),
    announcement: (outcome: string): void => announcements.count(outcome),
    webhook: (isDelivered: boolean): void => webhookMessages.count(isDelivered ? 'sent' : 'failed'),
    statement(name: string, size: number, seconds: number): void {
      const known =
        byStatement.get(name) ?? [sizes, statements].map((family) => family.series({ statement: name }))
      byStatement.set(name, known)
      known[0]?.observe(size)
      known[1]?.observe(seconds)
    },
    /** Adds a gauge that is read at each scrape; null leaves it out. */
    gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
      families.push(reading('gauge', { name, help }, read))
    },
    text: (): Promise<string> => textOf(families),
  }
}

/** The usual metrics of a process, with the names of Prometheus' own libraries. */
function processMetrics(): Family[] {
  const mostFiles = openFilesLimit()
  const startedAt = Date.now() / 1_000 - process.uptime()
  return [
    reading(
      'counter',
      { name: 'process_cpu_seconds_total', help: 'CPU time of the process, of user and system together.' },
      () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1_000_000
      },
    ),
    reading('gauge', { name: 'process_resident_memory_bytes', help: 'Resident memory.' }, () =>
      process.memoryUsage.rss(),
    ),
    reading('gauge', { name: 'process_open_fds', help: 'Open files and connections.' }, openFiles),
    reading('gauge', { name: 'process_max_fds', help: 'How many may be open.' }, () => mostFiles),
    reading(
      'gauge',
      { name: 'process_start_time_seconds', help: 'When the process started, in seconds since 1970.' },
      () => startedAt,
    ),
  ]
}

/** Null if the system has no /proc. */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}

const everyMs = 250

/** Measures how late a timer fires, which is how long the event loop was blocked. */
function eventLoopLag(): Family {
  const lag = new Histogram({
    name: 'shipfeed_event_loop_lag_seconds',
    help: 'How late a timer fired that is due four times a second.',
    bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  })
  const late = lag.series()
  let dueAt = performance.now() + everyMs
  setInterval(() => {
    const now = performance.now()
    late.observe(Math.max(0, now - dueAt) / 1_000)
    dueAt = now + everyMs
  }, everyMs).unref()
  return lag
}
