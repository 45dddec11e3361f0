import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { profileReader } from '../data/profiles.ts'
import type { Db } from '../database/db.ts'
import { scopeOf } from '../domain/target.ts'
import type { Pages } from '../http/pages.ts'
import { readBefore, readTarget } from '../http/query.ts'
import { moved } from '../http/respond.ts'
import { projectAddress } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { ProfilePage } from '../views/profile/page.tsx'
import { findNamed, findPoster } from './find-poster.ts'
import { type PartOfUser, pageOfUserAddress, readListOfUser, readPart } from './list-of-user.ts'
import { listPage } from './list-page.tsx'

type Question = PartOfUser & {
  username: string | null
  /** Whether a deployment was just withdrawn, which the page confirms. */
  withdrawn: boolean
}

/** GET /<username>: the profile that a badge links to. */
export function profile({ db, site, pages }: { db: Db; site: Site; pages: Pages }) {
  const readProfile = profileReader(db)

  const answer = listPage({
    baseUrl: site.baseUrl,
    async read(question: Question, before) {
      const { category, environment, on } = question
      const part = { category, environment, on, scope: null }
      if (before !== null) {
        const poster = await findPoster(db, question.username)
        const list = await readListOfUser(db, { ...part, userId: poster.user.id }, before)
        return { ...question, ...poster, overview: null, ...list }
      }
      const { newest, ...poster } = await findNamed(question.username, readProfile)
      const list =
        category === null && environment === null && on === null
          ? { ...newest, newer: null }
          : await readListOfUser(db, { ...part, userId: poster.user.id }, null)
      return { ...question, ...poster, ...list }
    },
    draw: (props, viewer) => <ProfilePage site={site} viewer={viewer} {...props} />,
    style: ({ on }) => ({ place: 'person', isOnDay: on !== null }),
    href: ({ user, ...part }, before) => pageOfUserAddress(user.username, { ...part, target: null }, before),
  })

  return new Elysia({ name: 'profile' })
    .use(pages)
    .get('/:username', async ({ params, query, request, viewer }) => {
      const target = readTarget(query)
      if (target !== null) return await movedToProject(params.username, scopeOf(target), request)
      const question = {
        username: params.username,
        ...readPart(query),
        withdrawn: query.done === 'withdrawn',
      }
      return await answer({ question, before: readBefore(query), viewer, request })
    })

  /** What a profile was filtered by once has a page of its own. */
  async function movedToProject(username: string, target: string, { url }: Request): Promise<Response> {
    const { user } = await findPoster(db, username)
    const { searchParams } = new URL(url)
    searchParams.delete('target')
    const query = searchParams.size === 0 ? '' : `?${searchParams}`
    return moved(projectAddress(user.username, target) + query)
  }
}
