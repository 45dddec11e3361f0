import { postgresDataSet } from './data-sets/postgres.ts'
import { badgeRequests, feedRequests, profileRequests } from './requests.ts'
import { alternate, type Figures } from './rounds.ts'
import type { Extent } from './section.ts'
import { shipfeed } from './servers.ts'
import { inMs, type Row, ratioOf } from './table.ts'
import { type RequestFile, wrk } from './wrk.ts'

const small = 10_000
/** Few enough that a request hardly ever waits for another one. */
const connections = 8

/** The same requests to few and to many deployments. */
export async function growth({ seconds, rounds, grownTo }: Extent): Promise<readonly Row[]> {
  const few = await shipfeed({ DATABASE_URL: await postgresDataSet(small) })
  const many = await shipfeed({ DATABASE_URL: await postgresDataSet(grownTo) })
  const load = (url: string, requests: RequestFile) => () => wrk(url, requests, { seconds, connections })
  const [badges, feed, profiles] = [badgeRequests(), feedRequests(), profileRequests()]
  const measured = await alternate(
    {
      badgeOfFew: load(few.url, badges),
      badgeOfMany: load(many.url, badges),
      feedOfFew: load(few.url, feed),
      feedOfMany: load(many.url, feed),
      profileOfFew: load(few.url, profiles),
      profileOfMany: load(many.url, profiles),
    },
    rounds,
  )
  for (const server of [few, many]) await server.stop()

  const sizes = `${grownTo.toLocaleString('en')} deployments; beside ${small.toLocaleString('en')}`
  const row = (what: string, ofMany: Figures, ofFew: Figures): Row => ({
    what: `${what}, p50 and p99, ${sizes}`,
    ours: `${inMs(ofMany.p50)}, ${inMs(ofMany.p99)}`,
    peer: `${inMs(ofFew.p50)}, ${inMs(ofFew.p99)}`,
    ratio: `${ratioOf(ofMany.p50, ofFew.p50)}, ${ratioOf(ofMany.p99, ofFew.p99)}`,
    aim: 'p50 ≤ 1.2',
  })
  return [
    row('badge', measured.badgeOfMany, measured.badgeOfFew),
    row('feed page', measured.feedOfMany, measured.feedOfFew),
    row('profile page', measured.profileOfMany, measured.profileOfFew),
  ]
}
