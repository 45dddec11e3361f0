import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments, newerPage } from '../../data/deployments.ts'
import type { Db } from '../../database/db.ts'
import { type FeedFilter, wholeFeed } from '../../domain/feed-event.ts'
import type { Pages } from '../../http/pages.ts'
import {
  readBefore,
  readCategory,
  readEnvironment,
  readQuestion,
  refuseOtherFilters,
} from '../../http/query.ts'
import { FeedPage } from '../../views/feed/page.tsx'
import { feedAddress } from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'
import { listPage } from '../list-page.tsx'
import { refuseBesideSearch } from '../read-search.ts'
import { refuseBroad } from '../refuse-broad.ts'
import { searchPage } from './search.tsx'

type Part = Pick<FeedFilter, 'category' | 'environment'>

/** GET /: the global feed, and what is searched for in it. */
export function feed({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  const answer = listPage({
    baseUrl: site.baseUrl,
    async read(part: Part, before) {
      const filter = { ...wholeFeed, ...part }
      await refuseBroad(db, filter)
      const [list, newer] = await Promise.all([
        listDeployments(db, { ...filter, before }),
        before === null ? null : newerPage(db, { ...filter, before }),
      ])
      return { ...part, newer, ...list, seen: before === null ? list.seen : null }
    },
    draw: (props, viewer) => <FeedPage site={site} viewer={viewer} {...props} />,
    href: ({ category, environment }, before) => feedAddress({ category, environment, before }),
  })

  const answerSearch = searchPage({ db, site })

  return new Elysia({ name: 'feed' }).use(pages).get('/', ({ query, request, viewer }) => {
    refuseOtherFilters(query)
    const category = readCategory(query)
    const asked = readQuestion(query)
    const part = { before: readBefore(query), viewer, request }
    if (asked === null)
      return answer({ question: { category, environment: readEnvironment(query) }, ...part })
    refuseBesideSearch(query)
    return answerSearch({ question: { asked, category }, ...part })
  })
}
