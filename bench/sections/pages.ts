import { serverDataSet } from '../data-sets/server.ts'
import { feedRequests, profileRequests, projectRequests } from '../requests.ts'
import { alternate, type Figures } from '../rounds.ts'
import { bareServer, shipfeed } from '../servers.ts'
import { type Aim, inAll, type Row, rates, rounded } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** The number of different pages: few, so that each is soon requested again. */
const asked = 100

/** The first page of the feed, and of the profiles of random users. */
export async function pages({ seconds, rounds, users }: Extent): Promise<readonly Row[]> {
  const ours = await shipfeed({ DATABASE_URL: await serverDataSet(users) })
  const bareFeed = await bareServer(`${ours.url}/`)
  const bareProfile = await bareServer(`${ours.url}/u1`)
  const [feed, profiles] = [feedRequests(), profileRequests(users)]
  const uncompressed = { encoding: 'identity' } as const
  const measured = await alternate(
    {
      feed: () => wrk(ours, feed, { seconds }),
      plainFeed: () => wrk(ours, { ...feed, ...uncompressed }, { seconds }),
      bareFeed: () => wrk(bareFeed, feed, { seconds }),
      profile: () => wrk(ours, profiles, { seconds }),
      keptProfile: () => wrk(ours, profileRequests(users, asked), { seconds }),
      keptProject: () => wrk(ours, projectRequests(users, asked), { seconds }),
      plainProfile: () => wrk(ours, { ...profiles, ...uncompressed }, { seconds }),
      bareProfile: () => wrk(bareProfile, profiles, { seconds }),
    },
    rounds,
  )
  const html = (await (await fetch(`${ours.url}/u1`)).arrayBuffer()).byteLength
  for (const server of [ours, bareFeed, bareProfile]) await server.stop()
  const bytes = 'peer: bare `Bun.serve`, the same bytes'
  return [
    {
      what: 'profile page of random users, CPU of our process and Postgres',
      ours: `${rounded(inAll(measured.profile.cpu))} µs`,
      measure: inAll(measured.profile.cpu),
      unit: ' µs',
      aim: { atMost: 620 },
    },
    rates(`profile page of random users; ${bytes}`, measured.profile, measured.bareProfile),
    kept('profile page', measured.keptProfile, measured.profile),
    kept('project page', measured.keptProject, measured.profile),
    {
      what: 'profile page, its HTML',
      ours: `${rounded(html / 1024)} KB`,
      measure: html / 1024,
      unit: ' KB',
      aim: { atMost: 30 },
    },
    rates(`feed page; ${bytes}`, measured.feed, measured.bareFeed),
    cost('feed page not compressed, CPU; peer: compressed', measured.plainFeed, measured.feed, {
      atMost: 3,
    }),
    cost('profile page not compressed, CPU; peer: compressed', measured.plainProfile, measured.profile, {
      atMost: 3,
    }),
  ]
}

function kept(what: string, ours: Figures, random: Figures): Row {
  return {
    ...rates(`${what} asked for again, CPU; peer: profiles of random users`, ours, random),
    measure: inAll(ours.cpu),
    unit: ' µs',
    aim: { atMost: 60 },
  }
}

function cost(what: string, ours: Figures, peer: Figures, aim: Aim): Row {
  return { ...rates(what, ours, peer, aim), measure: inAll(ours.cpu) / inAll(peer.cpu) }
}
