import { Elysia } from 'elysia'
import { findUser } from '../data/account/users.ts'
import { readCurrent } from '../data/current.ts'
import { isDeployedTo, readProject } from '../data/pages/projects.ts'
import { scopeToRead } from '../data/targets.ts'
import type { User } from '../domain/account/user.ts'
import { allAhead, newestByEnvironment } from '../domain/environment/board.ts'
import { facetParameters } from '../domain/feed/facets.ts'
import { wordsChangeAt } from '../domain/statistics/words-change.ts'
import { everything, scopeOf, targetOf } from '../domain/target.ts'
import { Problem } from '../http/problem.ts'
import { deploymentIdOf, readBefore, refuseOthers, usernameIn } from '../http/query-parameters.ts'
import { moved } from '../http/responses.ts'
import { projectAddress } from '../views/page/address.ts'
import { readableTarget } from '../views/parts/readable-address.ts'
import { UserDeploymentList } from '../views/profile/deployments.tsx'
import { ProjectPage } from '../views/profile/project-page.tsx'
import {
  type AnswerProject,
  type AnswersBelow,
  isWhole,
  keepingWhole,
  type PartOfUser,
  type RequestOfUser,
  readPageOfUser,
  readPartOfUser,
  wholePage,
} from './lists/of-user.ts'
import { listPage } from './lists/page.ts'
import { findNamed, findPoster, refuseBroad, tooBroad } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

/** GET /<username>/<target>: what a user deploys to a project or a host. */
export function project({ pages, answerProject }: Dependencies) {
  return new Elysia({ name: 'project' })
    .use(pages)
    .get('/:username/*', ({ params: { username }, query, request, server, visitor }) =>
      answerProject({ username, query, request, server, viewer: visitor?.user ?? null }),
    )
}

type Question = PartOfUser & { readonly username: string; readonly target: string }

type Options = Pick<Dependencies, 'db' | 'site' | 'kept' | 'clientAddress'> & {
  readonly below: readonly AnswersBelow[]
}

export function projectPages({ db, site, kept, clientAddress, below }: Options): AnswerProject {
  const answers = new Map(below.flatMap((some) => Object.entries(some)))
  const answer = listPage({
    site,
    async read({ username, target, ...part }: Question, before: number | null) {
      const { user } = await findPoster(db, username)
      const filter = { userId: user.id, scope: target, ...part }
      const head = { ...part, user, target }
      if (before !== null) {
        if (!(await isDeployedTo(db, filter))) throw new NothingThere(user, target)
        await refuseBroad(db, filter)
        const list = await readPageOfUser(db, filter, { before, overview: null })
        return { ...head, board: [], live: [], ...list }
      }
      const found = await readProject(db, filter)
      if (found === 'nothing') throw new NothingThere(user, target)
      if (found === 'too broad') throw tooBroad()
      const { overview, board, newest, version } = found
      const isHost = overview.targets.length > 0
      const current = isHost ? await readCurrent(db, filter) : board
      const latest = current.map(({ deployment }) => deployment)
      const shown = { ...head, board, live: newestByEnvironment(latest) }
      if (!isWhole(part)) return { ...shown, ...(await readPageOfUser(db, filter, { before, overview })) }
      const until = wordsChangeAt(overview, [...newest.deployments, ...latest, ...allAhead(board)])
      // A page that took two statements is not kept (docs/architecture.md#kept-pages).
      const validity = isHost ? null : { version, until }
      return { ...shown, ...wholePage(part, { overview, newest }, validity) }
    },
    drawPage: ProjectPage,
    drawList: UserDeploymentList,
    keeping: keepingWhole(db, kept),
  })

  /** A project that was joined into another one, and has nothing left of its own, redirects to that. */
  return async (asked) => {
    try {
      return await answerAt(asked)
    } catch (error) {
      if (!(error instanceof NothingThere)) throw error
      const { user, target } = error
      const instead = await scopeToRead(db, { userId: user.id, scope: target })
      if (instead === target) throw error
      return moved(projectAddress(user.username, instead) + new URL(asked.request.url).search)
    }
  }

  async function answerAt({ username, query, request, viewer, server }: RequestOfUser): Promise<Response> {
    const address = URL.parse(request.url)
    if (address === null) throw new Problem('bad_request', 'The Host header of this request is not valid.')
    const { pathname, search } = address
    const written = pathname.replace(/^\/[^/]*\/|\/$/g, '')
    const found = targetOf(written)
    const target = scopeOf(found)
    const inside = answerIn(written, answers)
    const isSpelled = found !== null && unescaped(target) === unescaped(written)
    if (inside !== null || !isSpelled) {
      const name = usernameIn(username)
      const poster = name === null ? null : await findUser(db, name)
      const isDeployed =
        poster !== null &&
        found !== null &&
        (await isDeployedTo(db, { userId: poster.user.id, scope: target }))
      // A project may have the name of an answer. A visitor with only a read key, or where badges are public, may
      // see pictures but no page.
      const isPage = isDeployed && isSpelled && (viewer !== null || !site.membersOnly)
      if (inside !== null && !isPage) {
        const scope = scopeOf(targetOf(inside.target))
        if (scope === everything) throw new Problem('not_found', 'No page has this address.')
        const client = clientAddress(request, server)
        return await inside.answer({
          username,
          scope: poster === null ? scope : await scopeToRead(db, { userId: poster.user.id, scope }),
          ...inside.numbered,
          query,
          request,
          viewer,
          site,
          client,
        })
      }
      const { user } = await findNamed(username, async () => poster)
      if (!isDeployed) throw new NothingThere(user, target)
      if (!isSpelled) return moved(projectAddress(user.username, target) + search)
    }
    refuseOthers(
      query,
      'The page of a target',
      [...facetParameters, 'on', 'year', 'from', 'to', 'before'],
      site.search,
    )
    const question = { username, target, ...readPartOfUser(query) }
    return await answer({ question, before: readBefore(query), viewer, request })
  }
}

/**
 * What an address below a user names, such as a picture, and the target before it; null if it names nothing. Clients
 * that are made from the OpenAPI document escape every slash of a target.
 */
function answerIn(path: string, answers: ReadonlyMap<string, AnswersBelow[string]>) {
  const last = lastSegment(path)
  const id = deploymentIdOf(last)
  const named = id === null ? path : path.slice(0, -last.length - 1)
  const name = lastSegment(named)
  const answer = answers.get(id === null ? name : `${name}/:id`)
  if (answer === undefined || name === named) return null
  const target = named.slice(0, -name.length - 1)
  const numbered = id === null ? {} : { id }
  return { target: target.includes('/') ? target : target.replace(/%2f/gi, '/'), answer, numbered }
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Each proxy writes escapes differently. */
function unescaped(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A target to which a user has deployed nothing. */
class NothingThere extends Problem {
  constructor(
    readonly user: User,
    readonly target: string,
  ) {
    const { username, name } = user
    const reason =
      target === everything
        ? 'No page has this address.'
        : `${name} has deployed nothing to ${readableTarget(target)}.`
    super('not_found', `${reason} What they deploy to is listed at /${username}.`)
  }
}
