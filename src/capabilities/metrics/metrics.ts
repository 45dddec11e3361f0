import { readdirSync } from 'node:fs'
import { version } from '../../../package.json'
import { statusWords } from '../../badge/status.ts'
import type { Config } from '../../config.ts'
import { announceProblems } from '../../domain/problems.ts'
import { errorEvents } from '../../log/events.ts'
import type { Described, Observer } from '../../observer.ts'
import { openFilesLimit } from '../../open-files-limit.ts'
import { catalogue, described, type MetricName } from './catalogue.ts'
import { counter, type Family, histogram, reading, textOf } from './prometheus.ts'

/** The buckets that OpenTelemetry recommends for requests, in seconds. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** The buckets for statements, in seconds; one is abandoned after 2 s. */
const statementBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Clients may send any method; the ones that are not listed count as `other`. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** The metrics of a process (docs/reference.md#metrics). `all` also has those of other capabilities. */
export function metricsOf(
  { rateLimitPerMinute }: Pick<Config, 'rateLimitPerMinute'>,
  all: readonly (readonly [name: string, metric: Described])[],
): Observer & { readonly text: () => Promise<string> } {
  const metrics: Readonly<Record<string, Described>> = { ...catalogue, ...Object.fromEntries(all) }
  const problems = announceProblems(rateLimitPerMinute).filter((code) => code !== 'method_not_allowed')
  const ownKnown: Readonly<Record<string, readonly string[]>> = {
    shipfeed_announcements_total: ['created', 'replayed', ...problems],
    shipfeed_badges_total: Object.keys(statusWords),
    shipfeed_errors_total: errorEvents,
  }
  const counters = new Map(
    Object.entries(metrics).flatMap(([name, { type, labels: [label = ''] = [], known, help }]) =>
      type === 'counter' && label !== ''
        ? [[name, counter({ name, help, label, known: known ?? ownKnown[name] ?? [] })] as const]
        : [],
    ),
  )
  const count = (metric: string, value: string) => counters.get(metric)?.count(value)
  const requests = histogram({ ...described('http_request_duration_seconds'), bounds: requestBounds })
  const sizes = histogram({ ...described('shipfeed_batch_size'), bounds: sizeBounds })
  const statements = histogram({ ...described('shipfeed_statement_seconds'), bounds: statementBounds })
  const measured = [requests, ...counters.values(), sizes, statements, eventLoopLag()]
  const build = { ...described('shipfeed_build_info'), labels: { version, bun: Bun.version } }
  const families: Family[] = [...measured, ...processMetrics(), reading('gauge', build, () => 1)]

  return {
    /** Counts an answer; a failed announcement or badge is also counted by its problem. */
    answered({ request, route, status, seconds, code }): void {
      const method = methods.includes(request.method) ? request.method : 'other'
      requests.series({ method, route: route || 'none', status: String(status) }).observe(seconds)
      if (code === undefined) return
      if (route === '/api' && method === 'POST') count('shipfeed_announcements_total', code)
      if (route.startsWith('/badge/') && code === 'unavailable') count('shipfeed_badges_total', 'Unavailable')
    },
    badge: (status) => count('shipfeed_badges_total', status),
    announced: (outcome) => count('shipfeed_announcements_total', outcome),
    error: (event) => count('shipfeed_errors_total', event),
    count,
    statement(name, size, seconds): void {
      sizes.series({ statement: name }).observe(size)
      statements.series({ statement: name }).observe(seconds)
    },
    gauge(name, read): void {
      families.push(reading('gauge', { name, help: metrics[name]?.help ?? '' }, read))
    },
    text: (): Promise<string> => textOf(families),
  }
}

/** The usual metrics of a process, with the names of Prometheus' own libraries. */
function processMetrics(): Family[] {
  const gauge = (name: MetricName, read: () => number | null) => reading('gauge', described(name), read)
  const maxFiles = openFilesLimit()
  const startedAt = Date.now() / 1_000 - process.uptime()
  return [
    reading('counter', described('process_cpu_seconds_total'), () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000_000
    }),
    gauge('process_resident_memory_bytes', () => process.memoryUsage.rss()),
    gauge('process_open_fds', openFiles),
    gauge('process_max_fds', () => maxFiles),
    gauge('process_start_time_seconds', () => startedAt),
  ]
}

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
  const lag = histogram({
    ...described('shipfeed_event_loop_lag_seconds'),
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
