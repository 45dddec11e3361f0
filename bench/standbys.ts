import { announceThenBadge, postersOf } from '../test/support/postgres/announce-then-badge.ts'
import type { PostgresCluster } from '../test/support/postgres/cluster.ts'
import { ask, startWithStandbys } from '../test/support/postgres/with-standbys.ts'
import { doorOf } from '../test/support/process.ts'
import { shipfeed } from './servers.ts'

/**
 * `bun bench/standbys.ts 10000`: 10,000 announcements by one process, each followed by its badge from another
 * one that reads from standbys; on two servers and on three.
 */
const wanted = Number(process.argv[2] ?? 10_000)
const posterCount = 32
const settings = { BASE_URL: 'http://shipfeed.test', SIGN_UPS_PER_HOUR: '0' }

await measure('north')
await measure('north', 'south')

async function measure(...names: string[]): Promise<void> {
  const cluster = await startWithStandbys(...names)
  const first = await shipfeed(cluster.environment, settings)
  const second = await shipfeed(cluster.environment, settings)
  const doors = { announces: doorOf(first.url), shows: doorOf(second.url) }
  const posters = await postersOf(doors, posterCount)
  const servers = [cluster.primary, ...cluster.standbys]
  const before = await transactionsOf(servers)
  const begunAt = performance.now()
  const { acknowledged, ...rounds } = await announceThenBadge(
    doors,
    posters,
    (soFar) => soFar.acknowledged.length < wanted,
  )
  const seconds = Math.round((performance.now() - begunAt) / 1_000)
  const after = await transactionsOf(servers)
  const transactions = after.map((count, n) => count - (before[n] ?? 0))
  console.log({ servers: servers.length, rounds: acknowledged.length, ...rounds, seconds, transactions })
  await Promise.all([first.stop(), second.stop()])
  await cluster.remove()
}

/** How many transactions each of these servers has answered so far. */
async function transactionsOf(clusters: readonly PostgresCluster[]): Promise<readonly number[]> {
  const rows = await Promise.all(
    clusters.map((cluster) =>
      ask<{ n: number }>(cluster, 'select sum(xact_commit)::int as n from pg_stat_database'),
    ),
  )
  return rows.map(([row]) => row?.n ?? 0)
}
