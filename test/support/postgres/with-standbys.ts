import postgres from 'postgres'
import { seriesOf } from '../metrics.ts'
import { metricsUrlOf, type Process } from '../process.ts'
import { type PostgresCluster, startPostgresCluster } from './cluster.ts'

/** A primary, and the standbys that it waits for, by their names. */
export type Replicated = {
  readonly primary: PostgresCluster
  readonly standbys: readonly PostgresCluster[]
  /** What a process of ours is started with. */
  readonly environment: { readonly DATABASE_URL: string; readonly DATABASE_READ_URL: string }
  remove(): Promise<void>
}

/** Settings with which each commit waits until all of these standbys show it (docs/scaling.md#standbys). */
export function waitingFor(...names: readonly string[]) {
  return {
    synchronous_commit: 'remote_apply',
    synchronous_standby_names: names.length === 0 ? '' : `FIRST ${names.length} (${names.join(', ')})`,
  }
}

/** Makes a primary and standbys of these names that it waits for. */
export async function startWithStandbys(...names: readonly string[]): Promise<Replicated> {
  const primary = await startPostgresCluster()
  const standbys: PostgresCluster[] = []
  const remove = async () => {
    // The standbys first, or the primary would wait for them.
    for (const cluster of [...standbys, primary]) await cluster.remove()
  }
  try {
    for (const name of names) standbys.push(await primary.addStandby(name))
    await primary.configure(waitingFor(...names))
  } catch (error) {
    await remove()
    throw error
  }
  return {
    primary,
    standbys,
    environment: { DATABASE_URL: primary.url, DATABASE_READ_URL: urlOf(standbys) },
    remove,
  }
}

/** One address with the hosts of all these servers. */
export function urlOf(clusters: readonly PostgresCluster[]): string {
  const hosts = clusters.map(({ url }) => new URL(url).host)
  return `postgres://postgres@${hosts.join(',')}/postgres`
}

/**
 * How often a server has looked for the latest deployment of a badge since it began. A connection tells what it has
 * counted after a second, or when it has been idle for 10 s.
 */
export async function badgeReadsOf(server: PostgresCluster): Promise<number> {
  const [row] = await ask<{ reads: number }>(
    server,
    "select idx_scan::int as reads from pg_stat_user_tables where relname = 'latest_deployments'",
  )
  return row?.reads ?? 0
}

/** Asks a server something, past the service. */
export async function ask<Row>({ url }: PostgresCluster, statement: string): Promise<readonly Row[]> {
  const client = postgres(url, { max: 1 })
  try {
    return (await client.unsafe(statement)) as unknown as readonly Row[]
  } finally {
    await client.end()
  }
}

/** How many standbys a process reads from now. */
export async function standbysRead(process: Process | undefined): Promise<number | undefined> {
  return (await metricsOf(process)).get('shipfeed_standbys_read')
}

/** From how many it should read. */
export async function standbysCounted(process: Process | undefined): Promise<number | undefined> {
  return (await metricsOf(process)).get('shipfeed_standbys')
}

/** METRICS_PORT=0 turns them on. */
async function metricsOf(process: Process | undefined): Promise<ReadonlyMap<string, number>> {
  return seriesOf(process === undefined ? '' : await (await fetch(await metricsUrlOf(process))).text())
}
