import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../../data/deployments.ts'
import { latestTargets } from '../../data/wall/latest-targets.ts'
import { tallyReader } from '../../data/wall/tallies.ts'
import type { Db } from '../../database/db.ts'
import type { FeedFilter } from '../../domain/feed-event.ts'
import { usernameIn } from '../../http/query.ts'
import { preparedPage } from '../../http/respond.ts'
import type { WallPart } from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'
import { WallPage } from '../../views/wall/page.tsx'
import { readFilter } from '../read-filter.ts'
import { recently } from './recently.ts'

/** The latest, and six in one line each. */
const shown = 7
/** All walls of a part together have it read so often at most. */
const everyMs = 2_000

/** GET /wall: a part of the feed for a screen on a wall. */
export function wall({ db, site }: { db: Db; site: Site }) {
  const readTally = tallyReader(db)

  const readPage = recently(everyMs, async ({ filter, part }: { filter: FeedFilter; part: WallPart }) => {
    const [list, targets, tally] = await Promise.all([
      listDeployments(db, { ...filter, before: null, limit: shown }),
      latestTargets(db, filter),
      readTally(filter),
    ])
    return preparedPage(<WallPage site={site} part={part} {...list} targets={targets} tally={tally} />)
  })

  return new Elysia({ name: 'wall' }).get('/wall', async ({ query, request }) => {
    const filter = await readFilter(db, query)
    const { scope: target, category, environment } = filter
    const username = filter.userId === null ? null : usernameIn(query.user ?? '')
    const answer = await readPage({ filter, part: { username, target, category, environment } })
    return answer(request)
  })
}
