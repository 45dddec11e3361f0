import { readFileSync } from 'node:fs'
import { cluster } from './cluster.ts'
import type { Server } from './processes.ts'

/** CPU time of a request in µs: of who answers it, and of Postgres; null where it has no part in it. */
export type Cpu = { readonly own: number | null; readonly postgres: number | null }

/** In µs since an instant in the past, as /proc tells it: in steps of 10 ms. */
type Used = { readonly own: number; readonly postgres: number }

/** How much servers, and all of Postgres, have used until now. */
export async function usedBy(servers: readonly Server[]): Promise<Used> {
  return {
    own: servers.reduce((sum, { pid }) => sum + timesOf(pid).itself, 0),
    postgres: usedByPostgres((await cluster()).pid),
  }
}

/** The same of all processes of the Postgres with this postmaster. */
export function usedByPostgres(postmaster: number): number {
  // The postmaster waits for each process that ends, and so inherits its time.
  return [postmaster, ...childrenOf(postmaster)].reduce(
    (sum, pid) => sum + timesOf(pid).itself,
    timesOf(postmaster).ended,
  )
}

/** What a request has cost between two instants. */
export function perRequest(before: Used, after: Used, requests: number, servers: readonly Server[]): Cpu {
  return {
    own: servers.length === 0 ? null : (after.own - before.own) / requests,
    postgres: servers.some(({ isOnPostgres }) => !isOnPostgres)
      ? null
      : (after.postgres - before.postgres) / requests,
  }
}

const usPerTick = 10_000

/** The time of a process, and of those that it has started and that have ended. */
function timesOf(pid: number): { itself: number; ended: number } {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return { itself: 0, ended: 0 }
  }
  // The second field is the name, which may hold anything: counted from behind it, the first is the third.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number)
  return { itself: (user + system) * usPerTick, ended: (userOfEnded + systemOfEnded) * usPerTick }
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}
