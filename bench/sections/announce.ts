import { copyOfDirectory } from '../data-sets/local.ts'
import { copyOfDataSet } from '../data-sets/server.ts'
import { lockedInsert, pgbench, plainInsert } from '../peers/pgbench.ts'
import { announceRequests } from '../requests.ts'
import { alternate } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { inAll, inMs, type Row, rates, rounded } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Announcements of random users, each with its own link, without keys and without a rate limit. */
export async function announce({ seconds, rounds, users }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await copyOfDataSet(users)
  const ours = await shipfeed({ DATABASE_URL: databaseUrl })
  const local = await shipfeed({ DATA_DIR: await copyOfDirectory(users) })
  const requests = announceRequests(users)
  const alone = { seconds, connections: 1 }
  const measured = await alternate(
    {
      alone: () => wrk(ours, requests, alone),
      locked: () => pgbench(databaseUrl, lockedInsert, { seconds, clients: 1 }),
      many: () => wrk(ours, requests, { seconds }),
      plain: () => pgbench(databaseUrl, plainInsert, { seconds, clients: 10 }),
      localAlone: () => wrk(local, requests, alone),
      localMany: () => wrk(local, requests, { seconds }),
    },
    rounds,
  )
  for (const server of [ours, local]) await server.stop()
  const { many } = measured
  const locked = 'peer: pgbench with one client: BEGIN, lock, insert, COMMIT'
  const plain = 'peer: pgbench with 10 clients: an insert, no lock'
  return [
    {
      ...rates(`announcement, one at a time, time of each; ${locked}`, measured.alone, measured.locked),
      measure: measured.locked.rate / measured.alone.rate,
      aim: { atMost: 1.5 },
    },
    rates(`announcements, 64 at a time; ${plain}`, many, measured.plain, { atLeast: 0.85 }),
    {
      what: 'announcements, 64 at a time, CPU of our process and Postgres',
      ours: `${rounded(inAll(many.cpu))} µs`,
      measure: inAll(many.cpu),
      unit: ' µs',
      aim: { atMost: 190 },
    },
    { what: 'announcements, 64 at a time, p50 and p99', ours: `${inMs(many.p50)}, ${inMs(many.p99)}` },
    rates(
      'announcement, local database, one at a time; peer: on a server',
      measured.localAlone,
      measured.alone,
    ),
    rates('announcements, local database, 64 at a time; peer: on a server', measured.localMany, many),
  ]
}
