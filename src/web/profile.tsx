import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../data/deployments.ts'
import { profileReader } from '../data/profiles.ts'
import type { Db } from '../database/db.ts'
import type { User } from '../domain/account/user.ts'
import type { Category } from '../domain/category.ts'
import { scopeOf } from '../domain/target.ts'
import type { Pages } from '../http/pages.ts'
import { readBefore, readCategory, readEnvironment, readTarget } from '../http/query.ts'
import { profileAddress } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { ProfilePage } from '../views/profile/page.tsx'
import { findNamed, findPoster } from './find-poster.ts'
import { listPage } from './list-page.tsx'
import { refuseBroad } from './refuse-broad.ts'

/** The user, and the filters of their list; `target` is a scope, which the page shows as it is. */
type Question = {
  username: string | null
  category: Category | null
  target: string | null
  environment: string | null
  /** Whether a deployment was just withdrawn, which the page confirms. */
  withdrawn: boolean
}

/** GET /<username>: the profile that a badge links to. */
export function profile({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  const readProfile = profileReader(db)

  async function readList(user: User, { category, target, environment }: Question, before: number | null) {
    const filter = { userId: user.id, category, scope: target, environment }
    await refuseBroad(db, filter)
    return await listDeployments(db, { ...filter, before })
  }

  const answer = listPage({
    baseUrl: site.baseUrl,
    async read(question: Question, before) {
      if (before !== null) {
        const poster = await findPoster(db, question.username)
        const list = await readList(poster.user, question, before)
        return { ...question, ...poster, overview: null, ...list, seen: null }
      }
      const { newest, ...poster } = await findNamed(question.username, readProfile)
      const { category, target, environment } = question
      const isFiltered = category !== null || target !== null || environment !== null
      const list = isFiltered ? await readList(poster.user, question, null) : newest
      return { ...question, ...poster, ...list, seen: list.seen as number | null }
    },
    draw: (props, viewer) => <ProfilePage site={site} viewer={viewer} {...props} />,
    place: 'person',
    href: ({ user, category, target, environment }, before) =>
      profileAddress(user.username, { category, target, environment, before }),
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
    environment: readEnvironment(query),
    target: target === null ? null : scopeOf(target),
    withdrawn: query.done === 'withdrawn',
  }
}
