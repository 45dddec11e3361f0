import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { styleNamed } from '../../badge/badge.ts'
import { readOverview } from '../../data/overviews.ts'
import { findUser } from '../../data/users.ts'
import type { Db } from '../../database/db.ts'
import { scopeOf } from '../../domain/target.ts'
import type { Pages } from '../../http/pages.ts'
import { Problem } from '../../http/problem.ts'
import { readTarget, usernameIn } from '../../http/query.ts'
import { page } from '../../http/respond.ts'
import { EmbedPage } from '../../views/badge/page.tsx'
import type { Site } from '../../views/page/site.ts'

/** GET /<username>/badge: a badge to choose and to copy; `?style=` and `?target=` are the choice. */
export function embed({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  return new Elysia({ name: 'embed' })
    .use(pages)
    .get('/:username/badge', async ({ params, query, request, viewer }) => {
      const username = usernameIn(params.username)
      const owner = username === null ? null : await findUser(db, username)
      if (owner === null) throw new Problem('not_found', 'Nobody here has this username.')
      const target = readTarget(query)
      const overview = await readOverview(db, owner.user.id)
      const choice = {
        targets: overview.targets.map(({ target }) => target),
        style: styleNamed(query.style),
        target: target === null ? null : scopeOf(target),
      }
      return page(<EmbedPage site={site} viewer={viewer} user={owner.user} {...choice} />, {
        isPrivate: viewer !== null,
        request,
      })
    })
}
