import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../../data/feed-pages.ts'
import { tallyReader } from '../../data/tallies.ts'
import type { BoardPart } from '../../domain/environment/board.ts'
import { facetParameters } from '../../domain/feed/facets.ts'
import type { FeedFilter } from '../../domain/feed/feed.ts'
import { Problem } from '../../http/problem.ts'
import { type QueryParameters, readWord, refuseOthers, usernameIn } from '../../http/query-parameters.ts'
import { pageResponder } from '../../http/responses.ts'
import type { PartOfFeed } from '../../views/page/address.ts'
import { environmentsReader, readBoard, readBoardPart } from '../../web/lists/boards.ts'
import { findPoster, readFilter } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { recently } from '../../web/timed-cache.ts'
import { EnvironmentsWall } from './environments.tsx'
import { wallViews } from './links.tsx'
import { WallPage } from './page.tsx'
import { latestTargets } from './store.ts'

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
  const readOfUser = recently(everyMs, async (question: Parameters<typeof readTable>[0]) => {
    const { username, scope: target } = question
    return pageResponder(
      <EnvironmentsWall site={site} part={{ username, target }} {...(await readTable(question))} />,
    )
  })
  const readOfMany = recently(everyMs, async (board: BoardPart) =>
    pageResponder(<EnvironmentsWall site={site} {...(await readBoard(db, board))} />),
  )

  return new Elysia({ name: 'wall' }).get('/wall', async ({ query, request }) => {
    const isOfEnvironments = readWord(query.view, wallViews.environments, onlyView)
    if (isOfEnvironments) return (await readEnvironments(query, request))(request)
    refuseOthers(query, 'A wallboard', ['user', 'target', ...facetParameters, 'view'], site.search)
    if (query.project) throw new Problem('bad_request', 'Only a wallboard of environments takes "project".')
    const filter = await readFilter(db, query)
    const { userId, scope: target, by } = filter
    const username = userId === null ? null : usernameIn(query.user ?? '')
    const answer = await readPage({ filter, part: { username, target, by } })
    return answer(request)
  })

  /** The environments of a user, or a board of several. */
  async function readEnvironments(query: QueryParameters, request: Request) {
    const isOfUser = Boolean(query.user)
    const takes = isOfUser ? ['user', 'target', 'view'] : ['user', 'project', 'env', 'view']
    refuseOthers(query, 'This wallboard', takes, site.search)
    const board = readBoardPart(query, request)
    if (!isOfUser) return await readOfMany(board)
    if (board.projects.length > 0) throw new Problem('bad_request', 'Send either "user" or "project".')
    const [{ scope }, { user }] = await Promise.all([
      readFilter(db, query),
      findPoster(db, query.user ?? null),
    ])
    return await readOfUser({ username: user.username, userId: user.id, scope })
  }
}

const onlyView = 'The only view is "environments": send it, or leave out "view".'
