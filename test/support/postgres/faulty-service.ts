import { openPostgres } from '../../../src/database/postgres/open.ts'
import { createPostgresDatabase } from '../database.ts'
import { behindProxy } from '../people.ts'
import { type Service, startService } from '../service.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'

/** A service on a database of its own, and the proxy between the two. */
export type FaultyService = {
  readonly service: Service
  readonly proxy: FaultProxy
  /** The address of the database without the proxy. */
  readonly directUrl: string
  close(): Promise<void>
}

/** Starts a service whose Postgres can be made to fail; `down` starts it while it refuses connections. */
export async function startFaultyService({ down = false } = {}): Promise<FaultyService> {
  const { url, drop } = await createPostgresDatabase()
  const proxy = await startFaultProxy(url)
  if (down) await proxy.close()
  const db = await openPostgres(proxy.url)
  if (!down) await db.migrated
  const service = await startService(behindProxy, db)
  return {
    service,
    proxy,
    directUrl: url,
    async close() {
      await service.close()
      await db.close()
      await proxy.close()
      await drop()
    },
  }
}
