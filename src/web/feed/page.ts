import { Elysia } from 'elysia'
import { findPeople } from '../../data/account/users.ts'
import { tallyReader } from '../../data/pages/wall.ts'
import { countResults, findDeployments } from '../../data/search/find.ts'
import { databaseNow } from '../../database/db.ts'
import { type ByKind, type FeedFilter, wholeFeed } from '../../domain/feed/feed.ts'
import { beginningIn, type SearchQuestion } from '../../domain/search/question.ts'
import { lastHours } from '../../domain/statistics/tally.ts'
import { readBefore, refuseOthers } from '../../http/query-parameters.ts'
import { FeedList, FeedPage } from '../../views/feed/feed-page.tsx'
import { SearchList, SearchPage } from '../../views/feed/search-page.tsx'
import { listPage } from '../lists/page.ts'
import { readKind, readPage, readSearchQuestion, searchFor } from '../lists/part.ts'
import type { Dependencies } from '../route-dependencies.ts'
import { recently } from '../timed-cache.ts'

/** GET /: the global feed, or with `?q=` a search in it. */
export function feed(dependencies: Dependencies) {
  const answerFeed = feedPage(dependencies)
  const answerSearch = searchPage(dependencies)

  return new Elysia({ name: 'feed' }).use(dependencies.pages).get('/', ({ query, request, visitor }) => {
    refuseOthers(query, 'The feed', ['category', 'env', 'q', 'before'])
    const asked = readSearchQuestion(query)
    const rest = { before: readBefore(query), viewer: visitor?.user ?? null, request }
    if (asked === null) return answerFeed({ question: readKind(query), ...rest })
    return answerSearch({ question: asked, ...rest })
  })
}

/** The hours are counted at most this often, however many pages are requested. */
const countEveryMs = 2_000
/** A page waits for them at most this long. */
const patienceMs = 200

function feedPage({ db, site }: Dependencies) {
  const readTally = tallyReader(db)
  const count = recently(countEveryMs, (filter: FeedFilter) => readTally(filter).catch(() => null))

  /** The hours of the last two days; none if they cannot be counted in time, because the list matters more. */
  async function readHours(): Promise<readonly number[]> {
    const tally = await Promise.race([count(wholeFeed), Bun.sleep(patienceMs).then(() => null)])
    return tally === null ? [] : lastHours(tally)
  }

  return listPage({
    site,
    async read(kind: ByKind, before) {
      const isWhole = before === null && kind.category === null && kind.environment === null
      const [list, hours] = await Promise.all([
        readPage(db, { ...wholeFeed, ...kind }, before),
        isWhole ? readHours() : [],
      ])
      return { ...kind, before, hours, ...list }
    },
    drawPage: FeedPage,
    drawList: FeedList,
  })
}

function searchPage({ db, site }: Dependencies) {
  return listPage({
    site,
    async read(asked: SearchQuestion, before) {
      const beginning = before === null ? beginningIn(asked) : null
      const [search, people] = await Promise.all([
        searchFor(db, asked),
        beginning === null ? [] : findPeople(db, beginning),
      ])
      if (search === null) {
        return { asked, before, people, ...nothing, now: await databaseNow(db), isKnown: false }
      }
      const found = await findDeployments(db, { ...search, before })
      return {
        ...{ ...found, asked, before, people, isKnown: true },
        count: before === null ? await countResults(db, search, found) : null,
        older: found.older ?? found.rest?.before ?? null,
        reached: found.rest?.at ?? null,
        unindexed: found.unindexed?.at ?? null,
        seen: before === null ? found.seen : null,
      }
    },
    drawPage: SearchPage,
    drawList: SearchList,
  })
}

/** The result for a user that does not exist. */
const nothing = { deployments: [], count: null, older: null, reached: null, unindexed: null, seen: null }
