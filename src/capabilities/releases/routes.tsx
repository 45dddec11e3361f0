import { Html } from '@elysiajs/html'
import { isDeployedTo } from '../../data/pages/projects.ts'
import type { Db } from '../../database/db.ts'
import { Problem } from '../../http/problem.ts'
import { readBefore, refuseOthers } from '../../http/query-parameters.ts'
import { page } from '../../http/responses.ts'
import { readableTarget } from '../../views/parts/readable-address.ts'
import type { AnswersBelow, RequestBelow } from '../../web/lists/of-user.ts'
import { findPoster } from '../../web/lists/part.ts'
import { ReleasesPage } from './page.tsx'
import { ReleasePage } from './release-page.tsx'
import { pageOfReleases, releaseWith } from './rules.ts'
import { readWindow } from './store.ts'

/** GET /<username>/<target>/releases and /releases/<id>: the releases of a project, and the one with a deployment. */
export function releasesBelow(db: Db): AnswersBelow {
  return {
    async releases({ site, query, viewer, request, ...asked }) {
      refuseOthers(query, 'The list of releases', ['before'], site.search)
      const before = readBefore(query)
      const { user, target, read } = await readProject(asked, before)
      const { releases, older } = pageOfReleases(read, before)
      return page(<ReleasesPage {...{ site, viewer, user, target, releases, older, before, ...read }} />, {
        isPrivate: viewer !== null,
        request,
      })
    },
    async 'releases/:id'({ site, query, viewer, request, id = null, ...asked }) {
      refuseOthers(query, 'The page of a release', [], site.search)
      const { user, target, read } = await readProject(asked, id)
      const found = id === null ? null : releaseWith(id, read, user.environmentOrder)
      if (found === null) {
        const of = readableTarget(target)
        throw new Problem('not_found', `No release of ${of} has this deployment, or it was withdrawn.`)
      }
      return page(<ReleasePage {...{ site, viewer, user, target, ...found, ...read }} />, {
        isPrivate: viewer !== null,
        request,
      })
    },
  }

  async function readProject(
    { username, scope }: Pick<RequestBelow, 'username' | 'scope'>,
    around: number | null,
  ) {
    const { user } = await findPoster(db, username)
    if (scope === undefined || !(await isDeployedTo(db, { userId: user.id, scope }))) {
      throw new Problem('not_found', `${user.name} has deployed nothing there.`)
    }
    return { user, target: scope, read: await readWindow(db, { userId: user.id, target: scope, around }) }
  }
}
