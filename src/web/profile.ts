import { Elysia } from 'elysia'
import { profileReader } from '../data/pages/profiles.ts'
import { facetParameters } from '../domain/feed/facets.ts'
import { wordsChangeAt } from '../domain/statistics/words-change.ts'
import { scopeOf } from '../domain/target.ts'
import { readBefore, readTarget, refuseOthers } from '../http/query-parameters.ts'
import { moved } from '../http/responses.ts'
import { projectAddress } from '../views/page/address.ts'
import { UserDeploymentList } from '../views/profile/deployments.tsx'
import { type ProfileFacts, ProfilePage } from '../views/profile/profile-page.tsx'
import {
  isWhole,
  keepingWhole,
  type PartOfUser,
  readPageOfUser,
  readPartOfUser,
  wholePage,
} from './lists/of-user.ts'
import { listPage, type Validity } from './lists/page.ts'
import { findNamed, findPoster } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

type Question = PartOfUser & {
  readonly username: string | null
  /** Whether a deployment was just withdrawn, which the page confirms. */
  readonly withdrawn: boolean
}

/** GET /<username>: the profile that a badge links to. */
export function profile({ db, site, pages, kept }: Dependencies) {
  const readProfile = profileReader(db)

  const answer = listPage<Question, ProfileFacts & { validity?: Validity | null }>({
    site,
    async read({ username, withdrawn, ...part }: Question, before) {
      const shown = { ...part, withdrawn, target: null }
      if (before !== null) {
        const { user, since } = await findPoster(db, username)
        const filter = { userId: user.id, scope: null, ...part }
        const list = await readPageOfUser(db, filter, { before, overview: null })
        return { ...shown, user, since, environments: [], ...list }
      }
      const { user, since, overview, environments, newest, version } = await findNamed(username, readProfile)
      const head = { ...shown, user, since, environments }
      if (!isWhole(part)) {
        const filter = { userId: user.id, scope: null, ...part }
        return { ...head, ...(await readPageOfUser(db, filter, { before, overview })) }
      }
      const until = wordsChangeAt(overview, newest.deployments)
      return { ...head, ...wholePage(part, { overview, newest }, { version, until }) }
    },
    drawPage: ProfilePage,
    drawList: UserDeploymentList,
    keeping: keepingWhole(db, kept),
  })

  return new Elysia({ name: 'profile' })
    .use(pages)
    .get('/:username', async ({ params: { username }, query, request, visitor }) => {
      refuseOthers(
        query,
        'A profile',
        [...facetParameters, 'target', 'on', 'year', 'from', 'to', 'before'],
        site.search,
      )
      const target = readTarget(query)
      // A target was once a filter of the profile; now it has its own page.
      if (target !== null) {
        const { user } = await findPoster(db, username)
        const from = new URL(request.url)
        from.searchParams.delete('target')
        return moved(projectAddress(user.username, scopeOf(target)) + from.search)
      }
      const question = { username, ...readPartOfUser(query), withdrawn: query.done === 'withdrawn' }
      return await answer({ question, before: readBefore(query), viewer: visitor?.user ?? null, request })
    })
}
