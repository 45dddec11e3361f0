import { Elysia } from 'elysia'
import { tallyReader } from '../../data/tallies.ts'
import { facetParameters, isUnfiltered, type OneFacet } from '../../domain/feed/facets.ts'
import { type FeedFilter, wholeFeed } from '../../domain/feed/feed.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import { lastHours } from '../../domain/statistics/tally.ts'
import { readBefore, readTimeRange, refuseOthers } from '../../http/query-parameters.ts'
import { FeedList, FeedPage } from '../../views/feed/feed-page.tsx'
import { listPage } from '../lists/page.ts'
import { readOneFacet, readPage } from '../lists/part.ts'
import { withSearch } from '../lists/search.ts'
import type { Dependencies } from '../route-dependencies.ts'
import { recently } from '../timed-cache.ts'

/** The hours are counted at most this often, however many pages are requested. */
const countEveryMs = 2_000
/** A page waits for them at most this long. */
const patienceMs = 200

type Question = { readonly by: OneFacet; readonly time: TimeRange }

/** GET /: the global feed, or with `?q=` a search in it. */
export function feed({ db, pages, site, search }: Dependencies) {
  const readTally = tallyReader(db)
  const count = recently(countEveryMs, (filter: FeedFilter) => readTally(filter).catch(() => null))
  const answerFeed = listPage({
    site,
    async read({ by, time }: Question, before) {
      const [list, hours] = await Promise.all([
        readPage(db, { ...wholeFeed, by }, before, time),
        before === null && isUnfiltered(by) && !isBounded(time) ? readHours() : [],
      ])
      return { by, time, before, hours, ...list }
    },
    drawPage: FeedPage,
    drawList: FeedList,
  })
  const resultsOf = search?.pages(site) ?? (() => null)
  const taken = [...facetParameters, ...withSearch(search, ['from', 'to', 'before'])]

  return new Elysia({ name: 'feed' }).use(pages).get('/', ({ query, request, visitor }) => {
    refuseOthers(query, 'The feed', taken, site.search)
    const answerResults = resultsOf(query)
    const asked = { before: readBefore(query), viewer: visitor?.user ?? null, request }
    if (answerResults !== null) return answerResults(asked)
    return answerFeed({ question: { by: readOneFacet(query), time: readTimeRange(query) }, ...asked })
  })

  /** The hours of the last two days; none if they cannot be counted in time, because the list matters more. */
  async function readHours(): Promise<readonly number[]> {
    const tally = await Promise.race([count(wholeFeed), Bun.sleep(patienceMs).then(() => null)])
    return tally === null ? [] : lastHours(tally)
  }
}
