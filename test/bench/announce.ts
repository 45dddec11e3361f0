import { copyOfDataSet } from './data-sets/postgres.ts'
import { pgbench } from './peers/pgbench.ts'
import { announceRequests } from './requests.ts'
import { alternate } from './rounds.ts'
import type { Extent } from './section.ts'
import { shipfeed } from './servers.ts'
import { inMs, type Row, rates } from './table.ts'
import { wrk } from './wrk.ts'

/** Announcements of random users, without keys and without a rate limit. */
export async function announce({ seconds, rounds, deployments }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await copyOfDataSet(deployments)
  const server = await shipfeed({ DATABASE_URL: databaseUrl })
  const requests = announceRequests()
  const { ours, alone } = await alternate(
    {
      ours: () => wrk(server.url, requests, { seconds }),
      alone: () => pgbench(databaseUrl, { seconds }),
    },
    rounds,
  )
  await server.stop()
  return [
    rates('announce; beside pgbench, 10 clients, the same statement', ours, alone, '≥ 3.5'),
    {
      what: 'announce, p50 and p99 with 64 connections',
      ours: `${inMs(ours.p50)}, ${inMs(ours.p99)}`,
      peer: '',
      ratio: '',
      aim: null,
    },
  ]
}
