import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../data/deployments.ts'
import { readOverview } from '../data/overviews.ts'
import { findUser } from '../data/users.ts'
import type { Db } from '../database/db.ts'
import { share } from '../database/share.ts'
import type { Category } from '../domain/category.ts'
import { scopeOf } from '../domain/target.ts'
import type { Pages } from '../http/pages.ts'
import { Problem } from '../http/problem.ts'
import { isOlderPart, readBefore, readCategory, readTarget, usernameIn } from '../http/query.ts'
import { fragment, page, preparedPage } from '../http/respond.ts'
import { DeploymentList } from '../views/feed/list.tsx'
import { profileAddress } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { ProfilePage } from '../views/profile/page.tsx'

/** Which part of whose profile; `target` is the scope of its target, which the page shows as it is. */
type Question = { username: string; category: Category | null; target: string | null }

/** GET /<username>: the profile that a badge links to. */
export function profile({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  const readNewest = share(async ({ username, category, target }: Question) => {
    const owner = await findUser(db, username)
    if (owner === null) return null
    const userId = owner.user.id
    const [list, overview] = await Promise.all([
      listDeployments(db, { userId, category, scope: target, before: null }),
      readOverview(db, userId),
    ])
    const props = { ...owner, category, target, overview, ...list }
    return { props, anonymous: preparedPage(<ProfilePage site={site} viewer={null} {...props} />) }
  })

  return new Elysia({ name: 'profile' })
    .use(pages)
    .get('/:username', async ({ params, query, request, viewer }) => {
      const question = readQuestion(params.username, query)
      const before = readBefore(query)
      const isPrivate = viewer !== null
      if (before === null) {
        const newest = await readNewest(question)
        if (newest === null) throw nobody()
        if (viewer === null) return newest.anonymous(request)
        return page(<ProfilePage site={site} viewer={viewer} {...newest.props} />, { isPrivate, request })
      }
      const { username, category, target } = question
      const owner = await findUser(db, username)
      if (owner === null) throw nobody()
      const list = await listDeployments(db, { userId: owner.user.id, category, scope: target, before })
      if (isOlderPart(request)) {
        const href = (before: number) => profileAddress(username, { category, target, before })
        return fragment(<DeploymentList {...list} href={href} />, { isPrivate, request })
      }
      const props = { ...owner, category, target, overview: null, ...list, seen: null }
      return page(<ProfilePage site={site} viewer={viewer} {...props} />, { isPrivate, request })
    })
}

function readQuestion(name: string, query: Readonly<Record<string, string | undefined>>): Question {
  const username = usernameIn(name)
  if (username === null) throw nobody()
  const target = readTarget(query)
  return {
    username,
    category: readCategory(query),
    target: target === null ? null : scopeOf(target),
  }
}

function nobody(): Problem {
  return new Problem('not_found', 'Nobody here has this username, and no page has this address.')
}
