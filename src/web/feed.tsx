import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Db } from '../data/database.ts'
import { listDeployments } from '../data/deployments.ts'
import { latestEventId } from '../data/event-log.ts'
import { feedAddress } from '../views/address.ts'
import { DeploymentList } from '../views/deployment-list.tsx'
import { FeedPage } from '../views/feed.tsx'
import type { Site } from '../views/site.ts'
import { isOlderPart, readBefore, readCategory } from './filter.ts'
import { fragment, page } from './respond.ts'
import { type SessionCookies, session } from './session.ts'

/** GET /: the global feed. */
export function feed({ db, site, cookies }: { db: Db; site: Site; cookies: SessionCookies }) {
  return new Elysia({ name: 'feed' })
    .use(session({ db, cookies }))
    .get('/', async ({ query, request, viewer }) => {
      const category = readCategory(query)
      const before = readBefore(query)
      // Read before the list, so that nothing falls between the list and the stream.
      const seen = before === null ? await latestEventId(db) : null
      const list = await listDeployments(db, { userId: null, scope: null, category, before })
      if (isOlderPart(request, before)) {
        const href = (before: number) => feedAddress({ category, before })
        return fragment(<DeploymentList {...list} href={href} />, { isPrivate: viewer !== null })
      }
      return page(<FeedPage site={site} viewer={viewer} category={category} seen={seen} {...list} />, {
        isPrivate: viewer !== null,
      })
    })
}
