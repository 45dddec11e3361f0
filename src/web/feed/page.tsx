import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../../data/deployments.ts'
import type { Db } from '../../database/db.ts'
import { share } from '../../database/share.ts'
import type { Category } from '../../domain/category.ts'
import type { Pages } from '../../http/pages.ts'
import { isOlderPart, readBefore, readCategory } from '../../http/query.ts'
import { fragment, page, preparedPage } from '../../http/respond.ts'
import { DeploymentList } from '../../views/feed/list.tsx'
import { FeedPage } from '../../views/feed/page.tsx'
import { feedAddress } from '../../views/page/address.ts'
import type { Site } from '../../views/page/site.ts'

/** GET /: the global feed. */
export function feed({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  const readNewest = share(async (category: Category | null) => {
    const list = {
      category,
      ...(await listDeployments(db, { userId: null, scope: null, category, before: null })),
    }
    // Nearly everybody who asks at once is anonymous and gets the same bytes, so they are made once.
    return { list, anonymous: preparedPage(<FeedPage site={site} viewer={null} {...list} />) }
  })

  return new Elysia({ name: 'feed' }).use(pages).get('/', async ({ query, request, viewer }) => {
    const category = readCategory(query)
    const before = readBefore(query)
    const isPrivate = viewer !== null
    if (before === null) {
      const { list, anonymous } = await readNewest(category)
      if (viewer === null) return anonymous(request)
      return page(<FeedPage site={site} viewer={viewer} {...list} />, { isPrivate, request })
    }
    const list = await listDeployments(db, { userId: null, scope: null, category, before })
    if (isOlderPart(request)) {
      const href = (before: number) => feedAddress({ category, before })
      return fragment(<DeploymentList {...list} href={href} />, { isPrivate, request })
    }
    return page(<FeedPage site={site} viewer={viewer} category={category} {...list} seen={null} />, {
      isPrivate,
      request,
    })
  })
}
