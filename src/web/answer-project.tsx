import { Html } from '@elysiajs/html'
import { isDeployedTo, readProject } from '../data/projects.ts'
import type { Db } from '../database/db.ts'
import type { User } from '../domain/account/user.ts'
import { scopeOf, targetOf } from '../domain/target.ts'
import { Problem } from '../http/problem.ts'
import { readBefore } from '../http/query.ts'
import { moved } from '../http/respond.ts'
import { placeOfUser } from '../views/deployment/entry.tsx'
import { projectAddress } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { readableTarget } from '../views/parts/readable-address.ts'
import { ProjectPage } from '../views/project/page.tsx'
import { findPoster } from './find-poster.ts'
import { type PartOfUser, pageOfUserAddress, readListOfUser, readPart } from './list-of-user.ts'
import { listPage } from './list-page.tsx'

type Question = PartOfUser & { readonly user: User; readonly target: string }

type ProjectRequest = {
  readonly params: { readonly username: string }
  readonly query: Readonly<Record<string, string | undefined>>
  readonly request: Request
  readonly viewer: User | null
}

export type AnswerProject = (request: ProjectRequest) => Promise<Response>

/** Makes the function that answers /<username>/<target>: what somebody deploys to, a project or a host. */
export function projectPages({ db, site }: { db: Db; site: Site }): AnswerProject {
  const answer = listPage({
    baseUrl: site.baseUrl,
    async read(question: Question, before) {
      const { user, target, category, environment, on } = question
      const list = await readListOfUser(
        db,
        { category, environment, on, userId: user.id, scope: target },
        before,
      )
      if (before !== null) return { ...question, overview: null, ...list }
      const overview = await readProject(db, { userId: user.id, scope: target })
      return { ...question, overview, ...list }
    },
    draw: (props, viewer) => <ProjectPage site={site} viewer={viewer} {...props} />,
    style: ({ target, on }) => ({ place: placeOfUser(target), isOnDay: on !== null }),
    href: ({ user, ...part }, before) => pageOfUserAddress(user.username, part, before),
  })

  return async ({ params, query, request, viewer }) => {
    const { user } = await findPoster(db, params.username)
    const { pathname, search } = new URL(request.url)
    const written = pathname.replace(/^\/[^/]*\/|\/$/g, '')
    const found = targetOf(written)
    const target = scopeOf(found)
    if (found === null || !(await isDeployedTo(db, { userId: user.id, scope: target }))) {
      throw notHere(user, readableTarget(target))
    }
    if (!isSpelledAs(target, written)) return moved(projectAddress(user.username, target) + search)
    return await answer({
      question: { user, target, ...readPart(query) },
      before: readBefore(query),
      viewer,
      request,
    })
  }
}

/** Whether a path is a target but for its escapes, which proxies write in their own way. */
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
  const what = target === '' ? 'No page has this address.' : `${name} has deployed nothing to ${target}.`
  return new Problem('not_found', `${what} What they deploy to is listed at /${username}.`)
}
