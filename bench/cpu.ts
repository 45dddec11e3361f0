import { readFileSync } from 'node:fs'
import { processesOf, type Server } from './processes.ts'

/** CPU time of a request in µs, in the server and in Postgres; null if Postgres has no part in it. */
export type Cpu = { readonly own: number | null; readonly postgres: number | null }

/** CPU time so far in µs, from /proc, in steps of 10 ms. */
type Used = { readonly own: number; readonly postgres: number }

/** The CPU time of the servers, and of all of their Postgres, until now. */
export function usedBy(servers: readonly Server[]): Used {
  const postmasters = new Set(servers.flatMap(({ postmaster }) => postmaster ?? []))
  return {
    own: servers.reduce((sum, { pid }) => sum + timesOf(pid).itself, 0),
    postgres: [...postmasters].reduce((sum, pid) => sum + usedByPostgres(pid), 0),
  }
}

/** The same of all processes of the Postgres with this postmaster. */
export function usedByPostgres(postmaster: number): number {
  // The postmaster waits for each process that ends, and so inherits its time.
  return processesOf(postmaster).reduce((sum, pid) => sum + timesOf(pid).itself, timesOf(postmaster).ended)
}

/** The cost of a request between two readings. */
export function perRequest(before: Used, after: Used, requests: number, servers: readonly Server[]): Cpu {
  return {
    own: (after.own - before.own) / requests,
    postgres: servers.some(({ postmaster }) => postmaster === null)
      ? null
      : (after.postgres - before.postgres) / requests,
  }
}

const usPerTick = 10_000

/** The CPU time of a process and of its children that have ended. */
function timesOf(pid: number): { itself: number; ended: number } {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return { itself: 0, ended: 0 }
  }
  // The second field is the name, which may contain anything, so the fields are counted from the one after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15).map(Number)
  return { itself: (user + system) * usPerTick, ended: (userOfEnded + systemOfEnded) * usPerTick }
}
