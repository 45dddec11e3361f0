import { Html } from '@elysiajs/html'
import { findDeployments } from '../../data/search/finding.ts'
import type { Db } from '../../database/db.ts'
import type { Category } from '../../domain/category.ts'
import type { Question } from '../../domain/search/question.ts'
import { SearchPage } from '../../views/feed/search-page.tsx'
import { feedAddress } from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'
import { listPage } from '../list-page.tsx'
import { searchOf } from '../read-search.ts'

type Asked = { readonly asked: Question; readonly category: Category | null }

/** Makes the function that answers GET /?q=: what is found in the feed. */
export function searchPage({ db, site }: { db: Db; site: Site }) {
  return listPage({
    baseUrl: site.baseUrl,
    async read({ asked, category }: Asked, before) {
      const search = await searchOf(db, asked, category)
      const question = { asked, category, words: asked.words, before }
      if (search === null) {
        return { ...question, ...nothing, now: new Date(), isKnown: false }
      }
      const found = await findDeployments(db, { ...search, before })
      return {
        ...question,
        deployments: found.deployments,
        now: found.now,
        older: found.older ?? found.rest?.before ?? null,
        reached: found.rest?.at ?? null,
        unindexed: found.unindexed?.at ?? null,
        seen: before === null ? found.seen : null,
        isKnown: true,
      }
    },
    draw: (props, viewer) => <SearchPage site={site} viewer={viewer} {...props} />,
    href: ({ asked, category }, before) => feedAddress({ q: asked.text, category, before }),
  })
}

/** What is found of somebody who is not there. */
const nothing = { deployments: [], older: null, reached: null, unindexed: null, seen: null }
