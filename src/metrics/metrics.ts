import { Counter, Histogram, reading } from './instruments.ts'
import { eventLoopLag, processMetrics } from './process.ts'
import { type Family, textOf } from './text.ts'

/** The buckets that OpenTelemetry advises for requests, in seconds. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Up to the 2 s after which a statement is given up. */
const statementBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Methods have no end; all that are not among these are one. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

type Answer = {
  readonly request: { readonly method: string }
  readonly route: string
  readonly status: number
  readonly seconds: number
  readonly code?: string
}

type Options = {
  readonly version: string
  readonly openFilesLimit: number | null
  /** Every word that a badge can say, and every end that an announcement can have. */
  readonly badgeStatuses: readonly string[]
  readonly announcementOutcomes: readonly string[]
}

export type Metrics = ReturnType<typeof createMetrics>

/** Everything that a process counts and measures of itself (docs/operations.md#metrics). */
export function createMetrics({ version, openFilesLimit, badgeStatuses, announcementOutcomes }: Options) {
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took until their answer began, by the pattern of their address.',
    labels: ['method', 'route', 'status'],
    bounds: requestBounds,
  })
  const badges = new Counter({
    name: 'shipfeed_badges_total',
    help: 'Badges by what they said, images and JSON.',
    label: 'status',
    known: badgeStatuses.map((status) => status.toLowerCase()),
  })
  const announcements = new Counter({
    name: 'shipfeed_announcements_total',
    help: 'Calls of POST /api by how they ended.',
    label: 'outcome',
    known: announcementOutcomes,
  })
  const sizes = new Histogram({
    name: 'shipfeed_batch_size',
    help: 'How many calls one statement answered together.',
    labels: ['statement'],
    bounds: sizeBounds,
  })
  const statements = new Histogram({
    name: 'shipfeed_statement_seconds',
    help: 'How long a statement that answers calls together took.',
    labels: ['statement'],
    bounds: statementBounds,
  })
  const own = [requests, announcements, badges, sizes, statements, eventLoopLag()]
  const build = { name: 'shipfeed_build_info', help: 'Always 1.', labels: { version, bun: Bun.version } }
  const families: Family[] = [...own, ...processMetrics({ openFilesLimit }), reading('gauge', build, () => 1)]

  return {
    /** Counts an answer; of one that is a problem, also what it was a problem of. */
    answer({ request: { method }, route, status, seconds, code }: Answer): void {
      requests.observe(seconds, methods.includes(method) ? method : 'other', route || 'none', String(status))
      if (code === undefined) return
      if (route === '/api' && method === 'POST') announcements.count(code)
      if (route === '/badge/:file' && code === 'unavailable') badges.count(code)
    },
    badge: (status: string): void => badges.count(status.toLowerCase()),
    announcement: (outcome: string): void => announcements.count(outcome),
    statement(name: string, size: number, seconds: number): void {
      sizes.observe(size, name)
      statements.observe(seconds, name)
    },
    /** Adds a number that is read when somebody asks; null where there is none then. */
    gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
      families.push(reading('gauge', { name, help }, read))
    },
    text: (): Promise<string> => textOf(families),
  }
}
