import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../data/deployments.ts'
import { readOverview } from '../data/overviews.ts'
import type { Db } from '../database/db.ts'
import type { Category } from '../domain/category.ts'
import { scopeOf } from '../domain/target.ts'
import type { Pages } from '../http/pages.ts'
import { readBefore, readCategory, readTarget } from '../http/query.ts'
import { profileAddress } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { ProfilePage } from '../views/profile/page.tsx'
import { findPoster } from './find-poster.ts'
import { listPage } from './list-page.tsx'
import { refuseBroad } from './refuse-broad.ts'

/** The user, and the filters of their list; `target` is a scope, which the page shows as it is. */
type Question = {
  username: string | null
  category: Category | null
  target: string | null
  /** Whether a deployment was just withdrawn, which the page confirms. */
  withdrawn: boolean
}

/** GET /<username>: the profile that a badge links to. */
export function profile({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  const answer = listPage({
    baseUrl: site.baseUrl,
    async read({ username, category, target, withdrawn }: Question, before) {
      const poster = await findPoster(db, username)
      await refuseBroad(db, { userId: poster.user.id, category, scope: target })
      const [list, overview] = await Promise.all([
        listDeployments(db, { userId: poster.user.id, category, scope: target, before }),
        before === null ? readOverview(db, poster.user.id) : null,
      ])
      return {
        ...poster,
        category,
        target,
        withdrawn,
        overview,
        ...list,
        seen: before === null ? list.seen : null,
      }
    },
    draw: (props, viewer) => <ProfilePage site={site} viewer={viewer} {...props} />,
    href: ({ user, category, target }, before) => profileAddress(user.username, { category, target, before }),
  })

  return new Elysia({ name: 'profile' })
    .use(pages)
    .get('/:username', ({ params, query, request, viewer }) =>
      answer({ question: readQuestion(params.username, query), before: readBefore(query), viewer, request }),
    )
}

function readQuestion(
  username: string | null,
  query: Readonly<Record<string, string | undefined>>,
): Question {
  const target = readTarget(query)
  return {
    username,
    category: readCategory(query),
    target: target === null ? null : scopeOf(target),
    withdrawn: query.done === 'withdrawn',
  }
}
