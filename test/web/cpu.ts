import { readFileSync } from 'node:fs'
import { sql } from 'drizzle-orm'
import type { Db } from '../../src/database/db.ts'
import { query } from '../support/database.ts'

/** Gives the milliseconds of a processor that some work takes, in this process and in those of its database. */
export async function cpuMeter(db: Db): Promise<(work: () => Promise<unknown>) => Promise<number>> {
  const backends = await query<{ pid: number }>(
    db,
    sql`select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  )
  const used = () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1_000 + backends.reduce((sum, { pid }) => sum + usedByBackend(pid), 0)
  }
  return async (work) => {
    const before = used()
    await work()
    return used() - before
  }
}

/** Nothing where it is no process of this machine. */
function usedByBackend(pid: number): number {
  try {
    const isPostgres = readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    return isPostgres ? Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6 : 0
  } catch {
    return 0
  }
}
