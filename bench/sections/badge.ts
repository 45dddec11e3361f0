import { embeddedDataSet, embeddedUsers } from '../data-sets/embedded.ts'
import { postgresDataSet } from '../data-sets/postgres.ts'
import { badgeRequests } from '../requests.ts'
import { alternate, type Figures } from '../rounds.ts'
import { badgeMakerServer, bareServer, noQueryServer, oneQueryServer, shipfeed } from '../servers.ts'
import { type Row, rates, rounded } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Badges of random users, in every style, with and without a filter. */
export async function badge({ seconds, rounds, users }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await postgresDataSet(users)
  const ours = await shipfeed({ DATABASE_URL: databaseUrl })
  const embedded = await shipfeed({ DATA_DIR: await embeddedDataSet() })
  const bare = await bareServer(`${ours.url}/badge/u1.svg`)
  const badgeMaker = await badgeMakerServer()
  const oneQuery = await oneQueryServer(databaseUrl)
  const noQuery = await noQueryServer()
  const requests = badgeRequests(users)
  const measured = await alternate(
    {
      ours: () => wrk(ours, requests, { seconds }),
      bare: () => wrk(bare, requests, { seconds }),
      badgeMaker: () => wrk(badgeMaker, requests, { seconds }),
      embedded: () => wrk(embedded, badgeRequests(embeddedUsers), { seconds }),
      oneQuery: () => wrk(oneQuery, requests, { seconds }),
      noQuery: () => wrk(noQuery, requests, { seconds }),
    },
    rounds,
  )
  for (const server of [ours, embedded, bare, badgeMaker, oneQuery, noQuery]) await server.stop()
  const constant = 'peer: a constant answer of bare `Bun.serve` with the same headers'
  const drawn = 'peer: badge-maker on Node, without a database'
  return [
    ownCpu(`badge, CPU of our process; ${constant}`, measured.ours, measured.bare),
    rates(`badge; ${constant}`, measured.ours, measured.bare, { atLeast: 0.43 }),
    rates(`badge; ${drawn}`, measured.ours, measured.badgeMaker, { atLeast: 3 }),
    rates('badge; peer: our route with one query a request', measured.ours, measured.oneQuery),
    rates('badge; peer: our route without a database', measured.ours, measured.noQuery),
    {
      what: 'badge, embedded, CPU of our process',
      ours: `${rounded(measured.embedded.cpu.own ?? Number.NaN)} µs`,
      measure: measured.embedded.cpu.own ?? Number.NaN,
      unit: ' µs',
      aim: { atMost: 20 },
    },
    rates(`badge, embedded; ${constant}`, measured.embedded, measured.bare),
    rates(`badge, embedded; ${drawn}`, measured.embedded, measured.badgeMaker),
  ]
}

function ownCpu(what: string, ours: Figures, peer: Figures): Row {
  const [own, constant] = [ours.cpu.own ?? Number.NaN, peer.cpu.own ?? Number.NaN]
  return {
    what,
    ours: `${rounded(own)} µs`,
    peer: `${rounded(constant)} µs`,
    measure: own / constant,
    aim: { atMost: 2.1 },
  }
}
