import { Elysia } from 'elysia'
import { findUser } from '../data/account/users.ts'
import { readCurrent } from '../data/current.ts'
import { isDeployedTo, readProject } from '../data/pages/projects.ts'
import type { User } from '../domain/account/user.ts'
import { newestByEnvironment } from '../domain/environments.ts'
import { wordsChangeAt } from '../domain/statistics/words-change.ts'
import { everything, scopeOf, targetOf } from '../domain/target.ts'
import { Problem } from '../http/problem.ts'
import { readBefore, refuseOthers, usernameIn } from '../http/query-parameters.ts'
import { moved } from '../http/responses.ts'
import { projectAddress } from '../views/page/address.ts'
import { readableTarget } from '../views/parts/readable-address.ts'
import { UserDeploymentList } from '../views/profile/deployments.tsx'
import { ProjectPage } from '../views/profile/project-page.tsx'
import {
  type AnswerProject,
  isWhole,
  keepingWhole,
  type PartOfUser,
  pictureNames,
  type RequestOfPicture,
  readPageOfUser,
  readPartOfUser,
} from './lists/of-user.ts'
import { listPage } from './lists/page.ts'
import { findNamed, findPoster, refuseBroad, tooBroad } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

/** GET /<username>/<target>: what a user deploys to a project or a host. */
export function project({ pages, answerProject }: Dependencies) {
  return new Elysia({ name: 'project' })
    .use(pages)
    .get('/:username/*', ({ params: { username }, query, request, visitor }) =>
      answerProject({ username, query, request, viewer: visitor?.user ?? null }),
    )
}

type Question = PartOfUser & { readonly username: string; readonly target: string }

type Options = Pick<Dependencies, 'db' | 'site' | 'kept'> & {
  readonly pictureOf: (request: RequestOfPicture) => Promise<Response>
}

export function projectPages({ db, site, pictureOf, kept }: Options): AnswerProject {
  const answer = listPage({
    site,
    async read({ username, target, ...part }: Question, before: number | null) {
      const { user } = await findPoster(db, username)
      const filter = { userId: user.id, scope: target, ...part }
      const head = { ...part, user, target }
      if (before !== null) {
        if (!(await isDeployedTo(db, filter))) throw notHere(user, target)
        await refuseBroad(db, filter)
        const list = await readPageOfUser(db, filter, { before, overview: null })
        return { ...head, board: [], live: [], ...list }
      }
      const found = await readProject(db, filter)
      if (found === 'nothing') throw notHere(user, target)
      if (found === 'too broad') throw tooBroad()
      const { overview, board, newest, version } = found
      const isHost = overview.targets.length > 0
      const current = isHost ? await readCurrent(db, { ...filter, environment: null }) : board
      const latest = current.map(({ deployment }) => deployment)
      const shown = { ...head, board, live: newestByEnvironment(latest) }
      if (!isWhole(part)) return { ...shown, ...(await readPageOfUser(db, filter, { before, overview })) }
      const until = wordsChangeAt(overview, [...newest.deployments, ...latest])
      // A page that took two statements is not kept (docs/architecture.md#kept-pages).
      const validity = isHost ? null : { version, until }
      return { ...shown, on: null, overview, newer: null, ...newest, validity }
    },
    drawPage: ProjectPage,
    drawList: UserDeploymentList,
    keeping: keepingWhole(db, kept),
  })

  return async ({ username, query, request, viewer }) => {
    const address = URL.parse(request.url)
    if (address === null) throw new Problem('bad_request', 'The Host header of this request is not valid.')
    const { pathname, search } = address
    const written = pathname.replace(/^\/[^/]*\/|\/$/g, '')
    const found = targetOf(written)
    const target = scopeOf(found)
    const picture = pictureIn(written)
    if (picture !== null || found === null || !isSpelledAs(target, written)) {
      const name = usernameIn(username)
      const poster = name === null ? null : await findUser(db, name)
      const isDeployed =
        poster !== null &&
        found !== null &&
        (await isDeployedTo(db, { userId: poster.user.id, scope: target }))
      // A project may have the name of a picture. A visitor with only a read key, or where badges are public, may
      // see pictures but no page.
      const isPage = isDeployed && isSpelledAs(target, written) && (viewer !== null || !site.membersOnly)
      if (picture !== null && !isPage) {
        const scope = scopeOf(targetOf(picture.target))
        if (scope === everything) throw new Problem('not_found', 'No page has this address.')
        return await pictureOf({ name: picture.name, username, scope, query, request })
      }
      const { user } = await findNamed(username, async () => poster)
      if (!isDeployed) throw notHere(user, target)
      if (!isSpelledAs(target, written)) return moved(projectAddress(user.username, target) + search)
    }
    refuseOthers(query, 'The page of a target', ['category', 'env', 'on', 'year', 'before'])
    const question = { username, target, ...readPartOfUser(query) }
    return await answer({ question, before: readBefore(query), viewer, request })
  }
}

/**
 * The picture that an address below a user names, and the target before it; null if it names none. Clients that are
 * made from the OpenAPI document escape every slash of a target.
 */
function pictureIn(path: string) {
  const name = pictureNames.find((name) => path.endsWith(`/${name}`))
  if (name === undefined) return null
  const target = path.slice(0, -name.length - 1)
  return { target: target.includes('/') ? target : target.replace(/%2f/gi, '/'), name }
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
  const reason =
    target === everything
      ? 'No page has this address.'
      : `${name} has deployed nothing to ${readableTarget(target)}.`
  return new Problem('not_found', `${reason} What they deploy to is listed at /${username}.`)
}
