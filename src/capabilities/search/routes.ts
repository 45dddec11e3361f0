import { findPeople } from '../../data/account/users.ts'
import { type Db, databaseNow } from '../../database/db.ts'
import { isBounded, type TimeRange } from '../../domain/feed/time-range.ts'
import { Problem } from '../../http/problem.ts'
import { readTimeRange } from '../../http/query-parameters.ts'
import { listPage } from '../../web/lists/page.ts'
import type { Search } from '../../web/lists/search.ts'
import { countResults, findDeployments } from './find.ts'
import { lookOfFound } from './marks.ts'
import { searchOnPages } from './on-pages.tsx'
import { SearchList, SearchPage } from './page.tsx'
import { beginningIn, type SearchQuestion } from './question.ts'
import { readSearchQuestion, searchFor } from './reading.ts'
import { searchedPart } from './search.ts'

/** The answers to `?q=`, wherever the feed takes it. */
export function searchIn(db: Db): Search {
  return {
    onPages: searchOnPages,
    async readPart(query) {
      const question = readSearchQuestion(query)
      if (question === null) return null
      const search = await searchFor(db, question)
      if (search === null) throw new Problem('not_found', `There is no @${question.username} here.`)
      return {
        ...searchedPart(search),
        look: lookOfFound(search),
        async list(range) {
          const { rest, ...page } = await findDeployments(db, { ...search, ...range })
          return { ...page, older: page.older ?? rest?.before ?? null }
        },
      }
    },
    pages(site) {
      const answer = searchPages(db, site)
      return (query) => {
        const question = readSearchQuestion(query)
        if (question === null) return null
        const time = readTimeRange(query)
        return (asked) => answer({ question: { ...question, time }, ...asked })
      }
    },
  }
}

type Asked = SearchQuestion & { readonly time: TimeRange }

/** GET /?q=: the results of a search. */
function searchPages(db: Db, site: Parameters<Search['pages']>[0]) {
  return listPage({
    site,
    async read({ time, ...asked }: Asked, before) {
      const beginning = before === null ? beginningIn(asked) : null
      const [search, people] = await Promise.all([
        searchFor(db, asked),
        beginning === null ? [] : findPeople(db, beginning),
      ])
      if (search === null) {
        return { asked, time, before, people, ...nothing, now: await databaseNow(db), isKnown: false }
      }
      const found = await findDeployments(db, { ...search, time, before })
      return {
        ...{ ...found, asked, time, before, people, isKnown: true },
        count: before === null ? await countResults(db, search, found, time) : null,
        older: found.older ?? found.rest?.before ?? null,
        reached: found.rest?.at ?? null,
        unindexed: found.unindexed?.at ?? null,
        seen: before === null && !isBounded(time) ? found.seen : null,
      }
    },
    drawPage: SearchPage,
    drawList: SearchList,
  })
}

/** The result for a user that does not exist. */
const nothing = { deployments: [], count: null, older: null, reached: null, unindexed: null, seen: null }
