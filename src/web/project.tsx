import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { readBoard } from '../data/current.ts'
import { isDeployedTo, readProject } from '../data/pages/projects.ts'
import type { Db } from '../database/db.ts'
import type { User } from '../domain/account/user.ts'
import { everything, scopeOf, targetOf } from '../domain/target.ts'
import type { Pages } from '../http/browser-pages.ts'
import { Problem } from '../http/problem.ts'
import { readBefore, refuseOthers } from '../http/query-parameters.ts'
import { moved } from '../http/responses.ts'
import { projectAddress } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { readableTarget } from '../views/parts/readable-address.ts'
import { UserDeploymentList } from '../views/profile/deployments.tsx'
import { ProjectPage } from '../views/profile/project-page.tsx'
import {
  type PartOfUser,
  type RequestOfUser,
  readNewestOfUser,
  readOlderOfUser,
  readPartOfUser,
} from './lists/of-user.ts'
import { listPage } from './lists/page.ts'
import { findPoster, refuseBroad } from './lists/part.ts'
import { type Pictures, pictureIn } from './pictures.ts'

/** GET /<username>/<target>: what a user deploys to a project or a host. */
export function project({ pages, answer }: { pages: Pages; answer: AnswerProject }) {
  return new Elysia({ name: 'project' })
    .use(pages)
    .get('/:username/*', ({ params: { username }, query, request, visitor }) =>
      answer({ username, query, request, viewer: visitor?.user ?? null }),
    )
}

export type AnswerProject = (request: RequestOfUser) => Promise<Response>

type Question = PartOfUser & { readonly user: User; readonly target: string }

type Options = { db: Db; site: Site; pictures: Pictures }

/** Makes the function that answers with the page of the target in an address, or with one of its pictures. web/deployment.tsx passes it hosts. */
export function projectPages({ db, site, pictures }: Options): AnswerProject {
  const answer = listPage({
    baseUrl: site.baseUrl,
    async read({ user, target, on, ...kind }: Question, before) {
      const filter = { userId: user.id, scope: target, ...kind }
      await refuseBroad(db, filter)
      if (before !== null) {
        const list = await readOlderOfUser(db, filter, on, before)
        return { ...kind, user, target, environments: [], ...list }
      }
      const [overview, environments] = await Promise.all([
        readProject(db, filter),
        readBoard(db, user.id, target),
      ])
      const list = await readNewestOfUser(db, filter, on, overview)
      return { ...kind, user, target, environments, ...list }
    },
    drawPage: (props, viewer) => <ProjectPage site={site} viewer={viewer} {...props} />,
    drawList: (props) => <UserDeploymentList {...props} username={props.user.username} />,
  })

  return async ({ username, query, request, viewer }) => {
    const { user } = await findPoster(db, username)
    const { pathname, search } = new URL(request.url)
    const written = pathname.replace(/^\/[^/]*\/|\/$/g, '')
    const found = targetOf(written)
    const target = scopeOf(found)
    const picture = pictureIn(written)
    // A project may have the name of a picture.
    const isPage = async () =>
      isSpelledAs(target, written) && (await isDeployedTo(db, { userId: user.id, scope: target }))
    if (picture !== null && !(await isPage())) {
      const scope = scopeOf(targetOf(picture.target))
      if (scope === everything) throw notHere(user, '')
      return await pictures.ofUser({ name: picture.name, username, scope, query, request })
    }
    if (found === null || !(await isDeployedTo(db, { userId: user.id, scope: target }))) {
      throw notHere(user, readableTarget(target))
    }
    if (!isSpelledAs(target, written)) return moved(projectAddress(user.username, target) + search)
    refuseOthers(query, 'The page of a target', ['category', 'env', 'on', 'before'])
    const question = { user, target, ...readPartOfUser(query) }
    return await answer({ question, before: readBefore(query), viewer, request })
  }
}

/** Whether a path is this target, except for escapes, which each proxy writes differently. */
function isSpelledAs(target: string, written: string): boolean {
  return unescaped(target) === unescaped(written)
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function notHere({ username, name }: User, target: string): Problem {
  const reason = target === '' ? 'No page has this address.' : `${name} has deployed nothing to ${target}.`
  return new Problem('not_found', `${reason} What they deploy to is listed at /${username}.`)
}
