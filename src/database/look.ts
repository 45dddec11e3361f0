import { drizzle } from 'drizzle-orm/pglite'
import type { Queries } from './db.ts'
import { takeDirectory } from './embedded/data-directory.ts'
import { openIn } from './embedded/open.ts'
import { before, deadlineMs } from './guard.ts'
import type { Location } from './open.ts'
import { type Route, routeTo } from './postgres/route.ts'
import { checkServer } from './postgres/server-check.ts'
import { poolSettings } from './session-settings.ts'

/** `hasSession`: whether a bell could be heard there. */
type Read<T> = (queries: Queries, hasSession: boolean) => Promise<T>

/**
 * Reads from the database of the configuration as it is now: nothing is awaited, made or migrated. Throws
 * DatabaseUnusable, Unavailable and what the server says.
 */
export async function lookInto<T>(location: Location, read: Read<T>): Promise<T> {
  const { databaseUrl, databaseListenUrl, dataDir } = location
  return databaseUrl === null
    ? await lookIntoEmbedded(dataDir, read)
    : await lookIntoPostgres(routeTo(databaseUrl, databaseListenUrl), read)
}

async function lookIntoEmbedded<T>(dataDir: string, read: Read<T>): Promise<T> {
  const directory = takeDirectory(dataDir)
  try {
    const client = await openIn(directory, () => {})
    return await read(drizzle(client) as unknown as Queries, true).finally(() => client.close())
  } finally {
    directory.unlock()
  }
}

async function lookIntoPostgres<T>(route: Route, read: Read<T>): Promise<T> {
  await route.find()
  const connection = await route.connect(poolSettings)
  try {
    await checkServer(connection)
    return await before(
      performance.now() + deadlineMs,
      read(connection.queries, route.hasSession),
      connection.end,
    )
  } finally {
    connection.end()
  }
}
