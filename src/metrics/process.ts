import { readdirSync } from 'node:fs'
import { Histogram, reading } from './instruments.ts'
import type { Family } from './text.ts'

/** What every process tells, by the names that Prometheus' own libraries give them. */
export function processMetrics({ openFilesLimit }: { readonly openFilesLimit: number | null }): Family[] {
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
    reading('gauge', { name: 'process_max_fds', help: 'How many may be open.' }, () => openFilesLimit),
    reading(
      'gauge',
      { name: 'process_start_time_seconds', help: 'When the process started, in seconds since 1970.' },
      () => startedAt,
    ),
  ]
}

/** Null where the system does not say. */
function openFiles(): number | null {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}

const everyMs = 250

/** Measures from now on how late timers are: for so long nothing else could run. */
export function eventLoopLag(): Family {
  const lag = new Histogram({
    name: 'shipfeed_event_loop_lag_seconds',
    help: 'How late a timer was that is due four times a second.',
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
