import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { type PostgresCluster, startPostgresCluster } from '../test/support/postgres/cluster.ts'

/**
 * A Postgres for the benchmark alone, so that all of its CPU time belongs to the benchmark. It has the default
 * settings and a quarter of the machine's memory, as Postgres advises. It keeps its data sets for the next run.
 */
let started: Promise<PostgresCluster> | undefined

export function cluster(): Promise<PostgresCluster> {
  started ??= startPostgresCluster({
    folder: join(tmpdir(), 'shipfeed-bench', 'postgres'),
    settings: { shared_buffers: `${Math.round(totalmem() / 4 / 1024 ** 2)}MB` },
  })
  return started
}

export async function stopCluster(): Promise<void> {
  await (await started)?.remove()
}
