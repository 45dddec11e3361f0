import { openPostgres } from '../../src/database/postgres.ts'
import { createPostgresDatabase, testDatabaseUrl } from './database.ts'
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts'
import { type Service, startService } from './service.ts'

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
  const { url, drop } = await createPostgresDatabase(testDatabaseUrl ?? '')
  const proxy = await startFaultProxy(url)
  if (down) await proxy.close()
  const db = await openPostgres(proxy.url)
  if (!down) await db.migrated
  const service = await startService({}, db)
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

/** Milliseconds until the service says that it is ready; throws when that takes 10 s. */
export async function untilReady(service: Service): Promise<number> {
  const start = performance.now()
  while (performance.now() - start < 10_000) {
    if ((await service.fetch('/readyz')).status === 200) return performance.now() - start
    await Bun.sleep(20)
  }
  throw new Error('The service does not become ready')
}
