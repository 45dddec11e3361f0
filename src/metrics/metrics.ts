import { Counter, Histogram, reading, type Series } from './instruments.ts'
import { eventLoopLag, processMetrics } from './process.ts'
import { type Family, textOf } from './text.ts'

/** The buckets that OpenTelemetry advises for requests, in seconds. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Up to the 2 s after which a statement is given up. */
const statementBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5]
const sizeBounds = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]

/** Methods have no end; all that are not among these are one. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'other']

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
    bounds: requestBounds,
  })
  const badges = new Counter({
    name: 'shipfeed_badges_total',
    help: 'Badges by what they said, images and JSON.',
    label: 'status',
    known: badgeStatuses,
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
    bounds: sizeBounds,
  })
  const statements = new Histogram({
    name: 'shipfeed_statement_seconds',
    help: 'How long a statement that answers calls together took.',
    bounds: statementBounds,
  })
  const own = [requests, announcements, badges, sizes, statements, eventLoopLag()]
  const build = { name: 'shipfeed_build_info', help: 'Always 1.', labels: { version, bun: Bun.version } }
  const families: Family[] = [...own, ...processMetrics({ openFilesLimit }), reading('gauge', build, () => 1)]

  const byStatement = new Map<string, readonly Series[]>()
  /** A level a label: a third of the cost of a key that is made of all three. */
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
    /** Counts an answer; of one that is a problem, also what it was a problem of. */
    answer({ request: { method }, route, status, seconds, code }: Answer): void {
      seriesOf(route || 'none', status, method).observe(seconds)
      if (code === undefined) return
      if (route === '/api' && method === 'POST') announcements.count(code)
      if (route === '/badge/:file' && code === 'unavailable') badges.count('Unavailable')
    },
    badge: (status: string): void => badges.count(status),
    announcement: (outcome: string): void => announcements.count(outcome),
    statement(name: string, size: number, seconds: number): void {
      const known =
        byStatement.get(name) ?? [sizes, statements].map((family) => family.series({ statement: name }))
      byStatement.set(name, known)
      known[0]?.observe(size)
      known[1]?.observe(seconds)
    },
    /** Adds a number that is read when somebody asks; null where there is none then. */
    gauge(name: string, help: string, read: () => number | null | Promise<number | null>): void {
      families.push(reading('gauge', { name, help }, read))
    },
    text: (): Promise<string> => textOf(families),
  }
}
