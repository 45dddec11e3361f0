import { deploymentsEach } from '../data-sets/people.ts'
import { serverDataSet } from '../data-sets/server.ts'
import { badgeRequests, feedRequests, profileRequests } from '../requests.ts'
import { alternate, type Figures } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { inMs, type Row } from '../table.ts'
import { type RequestFile, wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** 10,000 deployments. */
const few = 91
/** One request at a time: several would share reads and drawings, and how many do is chance. */
const connections = 1
/** Few enough that the warm-up round has read them all from the disk. */
const asked = 1_000

/** The same requests with few and with many users, who have equally many deployments each. */
export async function growth({ seconds, rounds, grownTo: many }: Extent): Promise<readonly Row[]> {
  const small = await shipfeed({ DATABASE_URL: await serverDataSet(few) })
  const large = await shipfeed({ DATABASE_URL: await serverDataSet(many) })
  const ofFew = (requests: RequestFile) => () => wrk(small, requests, { seconds, connections })
  const ofMany = (requests: RequestFile) => () => wrk(large, requests, { seconds, connections })
  const measured = await alternate(
    {
      badgeOfFew: ofFew(badgeRequests(few)),
      badgeOfMany: ofMany(badgeRequests(many, asked)),
      feedOfFew: ofFew(feedRequests()),
      feedOfMany: ofMany(feedRequests()),
      profileOfFew: ofFew(profileRequests(few)),
      profileOfMany: ofMany(profileRequests(many, asked)),
    },
    rounds,
  )
  for (const server of [small, large]) await server.stop()

  const deployments = (users: number) => (users * deploymentsEach).toLocaleString('en')
  const sizes = `at ${deployments(many)} deployments; peer: ${deployments(few)}`
  const row = (what: string, ofMany: Figures, ofFew: Figures, atMost = 1.2): readonly Row[] => [
    {
      what: `${what}, p50 ${sizes}`,
      ours: inMs(ofMany.p50),
      peer: inMs(ofFew.p50),
      measure: ofMany.p50 / ofFew.p50,
      aim: { atMost },
      cpu: { ours: ofMany.cpu, peer: ofFew.cpu },
    },
    {
      what: `${what}, p99`,
      ours: inMs(ofMany.p99),
      peer: inMs(ofFew.p99),
      measure: ofMany.p99 / ofFew.p99,
    },
  ]
  return [
    ...row('badge', measured.badgeOfMany, measured.badgeOfFew),
    ...row('feed page', measured.feedOfMany, measured.feedOfFew, 1.15),
    ...row('profile page', measured.profileOfMany, measured.profileOfFew),
  ]
}
