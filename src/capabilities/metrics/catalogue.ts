import type { Described } from '../../observer.ts'
import type { Description } from './prometheus.ts'

/** The metrics of the core, in the order of docs/reference.md#metrics; metrics.ts has the buckets of the histograms. */
export const catalogue = {
  http_request_duration_seconds: {
    type: 'histogram',
    labels: ['method', 'route', 'status'],
    help: 'Time until an answer began. A route is a pattern, "none" without one. Status 429 counts refused addresses and rates, 503 outages and overload.',
  },
  shipfeed_announcements_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Calls of POST /api: created, replayed, or the code of their error.',
  },
  shipfeed_badges_total: {
    type: 'counter',
    labels: ['status'],
    help: 'Badges by what they said, images and JSON; "unavailable" is an outage.',
  },
  shipfeed_errors_total: {
    type: 'counter',
    labels: ['event'],
    help: 'Lines of the log with the level error.',
  },
  shipfeed_database_up: { type: 'gauge', help: 'Whether the database answers now, 1 or 0.' },
  shipfeed_last_event_id: { type: 'gauge', help: 'The end of the feed; the same on every process.' },
  shipfeed_bell_connected: {
    type: 'gauge',
    help: 'Whether the bell of the database is heard, 1 or 0: without it, feeds are up to 5 s late. Absent if the bell polls.',
  },
  shipfeed_watchers: { type: 'gauge', help: 'Open feeds.' },
  shipfeed_watchers_limit: { type: 'gauge', help: 'How many may be open: STREAMS_MAX.' },
  shipfeed_batch_size: {
    type: 'histogram',
    labels: ['statement'],
    help: 'How many calls one statement answered together; it grows with the load.',
  },
  shipfeed_statement_seconds: {
    type: 'histogram',
    labels: ['statement'],
    help: 'How long these statements took.',
  },
  shipfeed_event_loop_lag_seconds: {
    type: 'histogram',
    help: 'How late a timer fired that is due four times a second: how long the process was blocked.',
  },
  shipfeed_build_info: { type: 'gauge', labels: ['version', 'bun'], help: 'Always 1.' },
  process_cpu_seconds_total: {
    type: 'counter',
    help: 'CPU time of the process, of user and system together.',
  },
  process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory.' },
  process_open_fds: { type: 'gauge', help: 'Open files and connections.' },
  process_max_fds: { type: 'gauge', help: 'How many may be open.' },
  process_start_time_seconds: {
    type: 'gauge',
    help: 'When the process started, in seconds since 1970.',
  },
} as const satisfies Readonly<Record<string, Described>>

export type MetricName = keyof typeof catalogue

/** What Prometheus is told of a metric. */
export function described(name: MetricName): Description {
  return { name, help: catalogue[name].help }
}
