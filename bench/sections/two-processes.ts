import { serverDataSet } from '../data-sets/server.ts'
import { badgeRequests } from '../requests.ts'
import { alternate } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { type Row, rates } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Badges from two processes on one Postgres, each with half of the connections. */
export async function twoProcesses({ seconds, rounds, users }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await serverDataSet(users)
  const first = await shipfeed({ DATABASE_URL: databaseUrl })
  const second = await shipfeed({ DATABASE_URL: databaseUrl })
  const requests = badgeRequests(users)
  const { two, one } = await alternate(
    {
      two: () => wrk([first, second], requests, { seconds }),
      one: () => wrk(first, requests, { seconds }),
    },
    rounds,
  )
  for (const server of [first, second]) await server.stop()
  return [rates('badge, two processes on one Postgres; peer: one', two, one)]
}
