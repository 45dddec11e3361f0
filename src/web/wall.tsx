import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../data/feed-pages.ts'
import { latestTargets, tallyReader } from '../data/pages/wall.ts'
import type { FeedFilter } from '../domain/feed/feed.ts'
import { Problem } from '../http/problem.ts'
import { type QueryParameters, refuseOthers, usernameIn } from '../http/query-parameters.ts'
import { pageResponder } from '../http/responses.ts'
import type { PartOfFeed } from '../views/page/address.ts'
import { EnvironmentsWall, WallPage, wallViews } from '../views/wall/wall-page.tsx'
import { environmentsReader } from './lists/of-user.ts'
import { readFilter } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'
import { recently } from './timed-cache.ts'

/** How many deployments are listed: the stylesheet shows the latest, and six with one line each, but of bots only one. */
const listed = 21
/** A part of the feed is read at most this often, however many walls show it. */
const everyMs = 2_000

/** GET /wall: a part of the feed for a screen on a wall, or with `?view=environments` what is live where. */
export function wall({ db, site }: Dependencies) {
  const readTally = tallyReader(db)

  const readPage = recently(everyMs, async ({ filter, part }: { filter: FeedFilter; part: PartOfFeed }) => {
    const [list, targets, tally] = await Promise.all([
      listDeployments(db, { ...filter, after: 0, before: null, limit: listed }),
      latestTargets(db, filter),
      readTally(filter),
    ])
    return pageResponder(<WallPage site={site} part={part} {...list} targets={targets} tally={tally} />)
  })

  const readTable = environmentsReader(db)
  const readEnvironments = recently(everyMs, async (question: Parameters<typeof readTable>[0]) => {
    const { username, scope: target } = question
    const part = { username, target, category: null, environment: null }
    return pageResponder(<EnvironmentsWall {...{ site, part, username }} {...(await readTable(question))} />)
  })

  return new Elysia({ name: 'wall' }).get('/wall', async ({ query, request }) => {
    const isOfEnvironments = readView(query)
    refuseOthers(
      query,
      'A wallboard',
      isOfEnvironments ? ['user', 'target', 'view'] : ['user', 'target', 'category', 'env', 'view'],
    )
    const filter = await readFilter(db, query)
    const { userId, scope: target, category, environment } = filter
    const username = userId === null ? null : usernameIn(query.user ?? '')
    if (isOfEnvironments) {
      if (userId === null || username === null) {
        throw new Problem('bad_request', 'A wallboard of environments shows one user: send "user" too.')
      }
      const answer = await readEnvironments({ username, userId, scope: target })
      return answer(request)
    }
    const answer = await readPage({ filter, part: { username, target, category, environment } })
    return answer(request)
  })
}

/** `?view=environments`; false if absent or empty. Throws `bad_request` for any other value. */
function readView({ view }: QueryParameters): boolean {
  if (view === undefined || view === '') return false
  if (view === wallViews.environments) return true
  throw new Problem('bad_request', 'The only view is "environments": send it, or leave out "view".')
}
