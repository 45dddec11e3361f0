import { copyOfDirectory } from '../data-sets/local.ts'
import { serverDataSet } from '../data-sets/server.ts'
import { badgeRequests } from '../requests.ts'
import { alternate, type Figures } from '../rounds.ts'
import { badgeMakerServer, bareServer, noQueryServer, oneQueryServer, shipfeed } from '../servers.ts'
import { type Row, rates, rounded } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Badges of random users, in every style, with and without a filter. */
export async function badge({ seconds, rounds, users }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await serverDataSet(users)
  const ours = await shipfeed({ DATABASE_URL: databaseUrl })
  const local = await shipfeed({ DATA_DIR: await copyOfDirectory(users) })
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
      local: () => wrk(local, requests, { seconds }),
      oneQuery: () => wrk(oneQuery, requests, { seconds }),
      noQuery: () => wrk(noQuery, requests, { seconds }),
    },
    rounds,
  )
  for (const server of [ours, local, bare, badgeMaker, oneQuery, noQuery]) await server.stop()
  const constant = 'peer: a constant answer of bare `Bun.serve` with the same headers'
  const drawn = 'peer: badge-maker on Node, without a database'
  return [
    ownCpu(`badge, CPU of our process; ${constant}`, measured.ours, measured.bare),
    rates(`badge; ${constant}`, measured.ours, measured.bare, { atLeast: 0.43 }),
    rates(`badge; ${drawn}`, measured.ours, measured.badgeMaker, { atLeast: 3 }),
    rates('badge; peer: our route with one query a request', measured.ours, measured.oneQuery),
    rates('badge; peer: our route without a database', measured.ours, measured.noQuery),
    rates('badge, local database; peer: on a server', measured.local, measured.ours),
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
