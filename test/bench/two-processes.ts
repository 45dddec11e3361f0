import { postgresDataSet } from './data-sets/postgres.ts'
import { badgeRequests } from './requests.ts'
import { alternate, type Figures } from './rounds.ts'
import type { Extent } from './section.ts'
import { shipfeed } from './servers.ts'
import { type Row, rates } from './table.ts'
import { wrk } from './wrk.ts'

/** Badges from two processes on one Postgres, each with half of the connections. */
export async function twoProcesses({ seconds, rounds, deployments }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await postgresDataSet(deployments)
  const first = await shipfeed({ DATABASE_URL: databaseUrl })
  const second = await shipfeed({ DATABASE_URL: databaseUrl })
  const requests = badgeRequests()
  const { two, one } = await alternate(
    {
      two: async () => {
        const half = { seconds, connections: 32 }
        return sumOf(await Promise.all([first, second].map(({ url }) => wrk(url, requests, half))))
      },
      one: () => wrk(first.url, requests, { seconds }),
    },
    rounds,
  )
  for (const server of [first, second]) await server.stop()
  return [rates('badge, two processes on one Postgres; beside one', two, one, null)]
}

function sumOf(figures: readonly Figures[]): Figures {
  return {
    rate: figures.reduce((sum, { rate }) => sum + rate, 0),
    p50: Math.max(...figures.map(({ p50 }) => p50)),
    p99: Math.max(...figures.map(({ p99 }) => p99)),
  }
}
