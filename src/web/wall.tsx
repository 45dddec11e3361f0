import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../data/deployments.ts'
import { latestTargets, tallyReader } from '../data/pages/wall.ts'
import type { Db } from '../database/db.ts'
import type { FeedFilter } from '../domain/feed.ts'
import { refuseOthers, usernameIn } from '../http/query-parameters.ts'
import { pageResponder } from '../http/responses.ts'
import type { WallPart } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { WallPage } from '../views/wall/wall-page.tsx'
import { readFilter } from './lists/part.ts'
import { recently } from './lists/recently.ts'

/** How many deployments are shown: the latest, and six with one line each. */
const shown = 7
/** A part of the feed is read at most this often, however many walls show it. */
const everyMs = 2_000

/** GET /wall: a part of the feed for a screen on a wall. */
export function wall({ db, site }: { db: Db; site: Site }) {
  const readTally = tallyReader(db)

  const readPage = recently(everyMs, async ({ filter, part }: { filter: FeedFilter; part: WallPart }) => {
    const [list, targets, tally] = await Promise.all([
      listDeployments(db, { ...filter, after: 0, before: null, limit: shown }),
      latestTargets(db, filter),
      readTally(filter),
    ])
    return pageResponder(<WallPage site={site} part={part} {...list} targets={targets} tally={tally} />)
  })

  return new Elysia({ name: 'wall' }).get('/wall', async ({ query, request }) => {
    refuseOthers(query, 'A wallboard', ['user', 'target', 'category', 'env'])
    const filter = await readFilter(db, query)
    const { scope: target, category, environment } = filter
    const username = filter.userId === null ? null : usernameIn(query.user ?? '')
    const answer = await readPage({ filter, part: { username, target, category, environment } })
    return answer(request)
  })
}
