import { sql } from 'drizzle-orm'
import { DatabaseUnusable } from '../errors.ts'
import { before, deadlineMs } from '../guard.ts'
import { oneRowOf } from '../sql.ts'
import type { Connection } from './connection.ts'

const oldestVersion = 15

export type Server = {
  readonly version: number
  readonly encoding: string
  readonly fsync: string
}

const serverFacts = sql`
  select current_setting('server_version_num')::int as version, getdatabaseencoding() as encoding,
    current_setting('fsync') as fsync`

/**
 * Checks that this Postgres can serve us, and gives what a start wants to know of it. Rejects with
 * DatabaseUnusable, in a line that says what to do, or with what the server says.
 */
export async function checkServer({ queries, end }: Connection): Promise<Server> {
  const server = await before(performance.now() + deadlineMs, oneRowOf<Server>(queries, serverFacts), end)
  if (server.version < oldestVersion * 10_000) {
    throw new DatabaseUnusable(`DATABASE_URL needs a Postgres of version ${oldestVersion} or newer`)
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseUnusable(
      `the database of DATABASE_URL is in ${server.encoding}: make one with "create database … encoding 'UTF8'"`,
    )
  }
  return server
}
