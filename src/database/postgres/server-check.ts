import { sql } from 'drizzle-orm'
import { DatabaseUnusable } from '../errors.ts'
import { before, deadlineMs } from '../guard.ts'
import { poolSettings } from '../session-settings.ts'
import { oneRowOf } from '../sql.ts'
import type { Connect } from './connect.ts'
import type { Connection } from './connection.ts'

const oldestVersion = 15

/**
 * Checks that this Postgres can serve us, and gives what a start wants to know of it. Rejects with
 * DatabaseUnusable, in a line that says what to do, or with what the server says.
 */
export async function checkServer(connect: Connect, { queries, end }: Connection): Promise<Server> {
  const server = await before(performance.now() + deadlineMs, oneRowOf<Server>(queries, serverFacts), end)
  refuseUnusable(server)
  if (!(await keepsItsSession(connect))) {
    throw new DatabaseUnusable(
      'DATABASE_URL leads to a pooler that shares connections between transactions: give its session mode, or Postgres itself',
    )
  }
  return server
}

export type Server = {
  readonly version: number
  readonly encoding: string
  readonly fsync: string
  readonly pid: number
}

const serverFacts = sql`
  select current_setting('server_version_num')::int as version, getdatabaseencoding() as encoding,
    current_setting('fsync') as fsync, pg_backend_pid() as pid`

function refuseUnusable({ version, encoding }: Server): void {
  if (version < oldestVersion * 10_000) {
    throw new DatabaseUnusable(`DATABASE_URL needs a Postgres of version ${oldestVersion} or newer`)
  }
  if (encoding !== 'UTF8') {
    throw new DatabaseUnusable(
      `the database of DATABASE_URL is in ${encoding}: make one with "create database … encoding 'UTF8'"`,
    )
  }
}

/**
 * Whether a connection is one session of the server. A pooler in transaction mode gives each statement any of
 * its own sessions, so settings, prepared statements and bells get lost. Two connections leave a mark, and
 * one looks for its own.
 */
async function keepsItsSession(connect: Connect): Promise<boolean> {
  const [first, second] = await Promise.all([connect(poolSettings), connect(poolSettings)])
  const until = performance.now() + deadlineMs
  try {
    for (const [n, { queries, end }] of [first, second].entries()) {
      await before(until, queries.execute(sql.raw(`select set_config('shipfeed.mark', '${n}', false)`)), end)
    }
    // More than once, because a pooler may take turns.
    for (let n = 0; n < 3; n += 1) {
      const read = oneRowOf<{ mark: string | null }>(
        first.queries,
        sql`select current_setting('shipfeed.mark', true) as mark`,
      )
      if ((await before(until, read, first.end)).mark !== '0') return false
    }
    return true
  } finally {
    first.end()
    second.end()
  }
}
