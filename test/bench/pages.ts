import { postgresDataSet } from './data-sets/postgres.ts'
import { feedRequests, profileRequests } from './requests.ts'
import { alternate } from './rounds.ts'
import type { Extent } from './section.ts'
import { bareServer, shipfeed } from './servers.ts'
import { type Row, rates } from './table.ts'
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
  const bytes = 'beside bare `Bun.serve`, the same bytes'
  return [
    rates(`feed page; ${bytes}`, measured.feed, measured.bareFeed, '≥ 0.25'),
    rates(`profile page of random users; ${bytes}`, measured.profile, measured.bareProfile, null),
  ]
}
