import { freePort } from '../../test/support/process.ts'
import type { Cpu } from '../cpu.ts'
import type { Server } from '../processes.ts'
import type { Figures } from '../rounds.ts'
import { type Storage, shipfeed } from '../servers.ts'

/** A service that reports the sizes of its batches. */
export type Metered = Server & { readonly metricsUrl: string }

export type Statement = 'badges' | 'announcements'

/** The cost of a load: CPU time per request, calls per statement, and the duration of a statement, in µs. */
export type Observed = {
  readonly cpu: Cpu
  readonly calls: number
  readonly us: number
  readonly rate: number
}

export async function meteredService(
  storage: Storage,
  settings: Record<string, string> = {},
): Promise<Metered> {
  const port = String(freePort())
  const server = await shipfeed(storage, { METRICS_PORT: port, ...settings })
  return { ...server, metricsUrl: `http://127.0.0.1:${port}/metrics` }
}

/** Puts a service under a load, and counts the statements of that name during the load. */
export async function observe(
  { metricsUrl }: Metered,
  statement: Statement,
  load: () => Promise<Figures>,
): Promise<Observed> {
  const before = await countsOf(metricsUrl, statement)
  const { cpu, rate } = await load()
  const after = await countsOf(metricsUrl, statement)
  const statements = after.statements - before.statements
  return {
    cpu,
    rate,
    calls: (after.calls - before.calls) / statements,
    us: ((after.seconds - before.seconds) * 1e6) / statements,
  }
}

async function countsOf(url: string, statement: string) {
  const text = await (await fetch(url)).text()
  const read = (name: string) => {
    const [, value] =
      new RegExp(`^shipfeed_${name}\\{statement="${statement}"\\} (\\S+)$`, 'm').exec(text) ?? []
    return Number(value ?? 0)
  }
  return {
    calls: read('batch_size_sum'),
    statements: read('batch_size_count'),
    seconds: read('statement_seconds_sum'),
  }
}
