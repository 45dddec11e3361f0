import type { Db, Report } from '../db.ts'
import { openPostgres } from '../postgres/open.ts'
import { watchFreeSpace } from './free-space.ts'
import { openServer } from './server.ts'

/**
 * Opens the database in a DATA_DIR, and makes it if there is none. `joins` is for commands: they use the server of the
 * service while it runs. Throws DatabaseUnusable.
 */
export async function openLocal(dataDir: string, report: Report, { joins = false } = {}): Promise<Db> {
  const server = await openServer(dataDir, report, { joins })
  const space = await watchFreeSpace(dataDir, report)
  const db = await openPostgres(server.url, report, { started: server.started })
  return {
    ...db,
    async snapshot(work) {
      space.require()
      return await db.snapshot(work)
    },
    requireSpace: space.require,
    async close() {
      space.stop()
      await db.close()
      await server.stop()
    },
  }
}
