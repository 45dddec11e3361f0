import type { Cost } from '../simulate/costs.ts'
import { type RequestFile, wrk } from '../wrk.ts'
import { costOf } from './fit.ts'
import type { Found } from './found.ts'
import { type Metered, observe, type Statement } from './metered.ts'

/** From batches of one to large ones; the check covers the sizes in between. */
const connections = [1, 8, 256]

/**
 * One round: the CPU time of calls of one kind in our process and in Postgres, and the duration of their statements.
 */
export async function askAll(
  service: Metered,
  statement: Statement,
  requests: RequestFile,
  seconds: number,
): Promise<Found> {
  const found: Record<string, number> = {}
  for (const count of connections) {
    const load = () => wrk(service, requests, { seconds, connections: count })
    const { cpu, calls, us } = await observe(service, statement, load)
    found[`${statement} ${count} calls`] = calls
    found[`${statement} ${count} ours`] = cpu.own ?? 0
    found[`${statement} ${count} postgres`] = cpu.postgres ?? 0
    found[`${statement} ${count} clock`] = us / calls
  }
  return found
}

/** The cost of a call and of its batch. */
export function askingCost(found: Found, statement: Statement, whose: 'ours' | 'postgres' | 'clock'): Cost {
  return costOf(
    connections.map((count) => ({
      calls: found[`${statement} ${count} calls`] ?? 1,
      us: found[`${statement} ${count} ${whose}`] ?? 0,
    })),
  )
}
