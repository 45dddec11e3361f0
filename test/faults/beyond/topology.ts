import { join } from 'node:path'
import { untilReady } from '../../support/eventually.ts'
import { programOf } from '../../support/needs/programs.ts'
import type { PostgresCluster } from '../../support/postgres/cluster.ts'
import { startPgbouncer } from '../../support/postgres/pgbouncer.ts'
import { startWithStandbys } from '../../support/postgres/with-standbys.ts'
import { freePort, proxiedDoorOf, startCommand } from '../../support/process.ts'
import { clusterPart, type Part, poolerPart, processPart } from './part.ts'

/** A service on several machines, each of which can fail; here, all are on one. */
export type Topology = {
  /** Its public address. */
  readonly url: string
  /** Its parts, in the order in which a request passes them. */
  readonly parts: readonly Part[]
  readonly primary: PostgresCluster
  readonly standbys: readonly PostgresCluster[]
  stop(): Promise<void>
}

const root = join(import.meta.dir, '../../..')
const standbyNames = ['one', 'two']

/** Starts haproxy, two processes, pgbouncer in transaction mode, a primary and two synchronous standbys. */
export async function startTopology(): Promise<Topology> {
  const { primary, standbys, environment, remove } = await startWithStandbys(...standbyNames)
  // Otherwise it would try a server that was down again only after 15 s (docs/scaling.md#poolers).
  const pooler = await startPgbouncer(primary.url, 'transaction', { server_login_retry: 1 })
  const proxyPort = freePort()
  const url = `http://127.0.0.1:${proxyPort}`
  const ports = [freePort(), freePort()]
  const apps = await Promise.all(
    ports.map((port) =>
      processPart(`the process on port ${port}`, async () => {
        const env = {
          PATH: process.env.PATH ?? '',
          HOST: '127.0.0.1',
          PORT: String(port),
          BASE_URL: url,
          ...environment,
          DATABASE_URL: pooler.url,
          DATABASE_LISTEN_URL: primary.url,
          TRUSTED_PROXIES: '127.0.0.1',
          RATE_LIMIT_PER_MINUTE: '0',
          SIGN_UPS_PER_HOUR: '0',
          STREAMS_PER_ADDRESS: '1000',
        }
        const app = startCommand([process.execPath, 'src/main.ts'], { cwd: root, env })
        await untilReady(proxiedDoorOf(await app.url))
        return app.child
      }),
    ),
  )
  const proxy = await processPart('haproxy', async () => {
    const [APP_1 = '', APP_2 = ''] = ports.map((port) => `127.0.0.1:${port}`)
    const child = Bun.spawn(
      [programOf('haproxy') ?? 'haproxy', '-db', '-f', join(root, 'deploy/haproxy.cfg')],
      {
        env: { LISTEN: `127.0.0.1:${proxyPort}`, APP_1, APP_2 },
        ...{ stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
      },
    )
    await untilReady(proxiedDoorOf(url))
    return child
  })
  return {
    url,
    parts: [
      proxy,
      ...apps,
      poolerPart('pgbouncer', pooler),
      clusterPart('the primary', primary),
      ...standbys.map((standby, n) => clusterPart(`standby ${standbyNames[n]}`, standby)),
    ],
    primary,
    standbys,
    async stop() {
      for (const part of [proxy, ...apps]) await part.kill()
      await pooler.stop()
      await remove()
    },
  }
}
