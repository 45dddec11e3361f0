import { postgresDataSet } from './postgres-data-set.ts'
import { feedRequests, profileRequests } from './requests.ts'
import { alternate } from './rounds.ts'
import type { Extent } from './section.ts'
import { bareServer, shipfeed } from './servers.ts'
import { perSecond, type Row, ratioOf } from './table.ts'
import { wrk } from './wrk.ts'

/** The first page of the feed, and of the profiles of random users. */
export async function pages({ seconds, rounds, deployments }: Extent): Promise<readonly Row[]> {
  const ours = await shipfeed({ DATABASE_URL: await postgresDataSet(deployments) })
  const bareFeed = await bareServer(`${ours.url}/`)
  const bareProfile = await bareServer(`${ours.url}/u1`)
  const [feed, profiles] = [feedRequests(), profileRequests()]
  const measured = await alternate(
    {
      feed: () => wrk(ours.url, feed, { seconds }),
      bareFeed: () => wrk(bareFeed.url, feed, { seconds }),
      profile: () => wrk(ours.url, profiles, { seconds }),
      bareProfile: () => wrk(bareProfile.url, profiles, { seconds }),
    },
    rounds,
  )
  for (const server of [ours, bareFeed, bareProfile]) await server.stop()
  return [
    {
      what: 'feed page; beside bare `Bun.serve`, the same bytes',
      ours: perSecond(measured.feed.rate),
      peer: perSecond(measured.bareFeed.rate),
      ratio: ratioOf(measured.feed.rate, measured.bareFeed.rate),
      aim: '≥ 0.25',
    },
    {
      what: 'profile page of random users; beside bare `Bun.serve`, the same bytes',
      ours: perSecond(measured.profile.rate),
      peer: perSecond(measured.bareProfile.rate),
      ratio: ratioOf(measured.profile.rate, measured.bareProfile.rate),
      aim: null,
    },
  ]
}
