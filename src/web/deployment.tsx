import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { withdrawDeployment } from '../data/deployments.ts'
import { findAnnouncingToken, findWithNeighbours } from '../data/pages/deployment-page.ts'
import type { Db } from '../database/db.ts'
import { Problem } from '../http/problem.ts'
import { deploymentIdOf, usernameIn } from '../http/query-parameters.ts'
import { page, seeOther } from '../http/responses.ts'
import { owner, type Pages } from '../http/visitor.ts'
import { DeploymentPage } from '../views/deployment/deployment-page.tsx'
import type { Site } from '../views/page/site.ts'
import type { RequestOfUser } from './lists/of-user.ts'

type Options = {
  readonly db: Db
  readonly site: Site
  readonly pages: Pages
  /** Answers an address that has a host in the place of the id. */
  readonly answerProject: (request: RequestOfUser) => Promise<Response>
}

/** GET /<username>/<id>: the page of a deployment; POST to its /delete withdraws it. */
export function deployment({ db, site, pages, answerProject }: Options) {
  return new Elysia({ name: 'deployment' })
    .use(pages)
    .get('/:username/:id', async ({ params, query, request, visitor }) => {
      const viewer = visitor?.user ?? null
      const { username, id } = params
      if (deploymentIdOf(id ?? '') === null) return await answerProject({ username, query, request, viewer })
      const found = await readDeployment(db, params)
      const { poster } = found.deployment
      const token = viewer?.id === poster.id ? await findAnnouncingToken(db, found.deployment.id) : null
      return page(<DeploymentPage {...{ site, viewer, token }} {...found} />, {
        isPrivate: viewer !== null,
        request,
      })
    })
    .use(owner(pages))
    .post('/:username/:id/delete', async ({ params, visitor: { user } }) => {
      if (usernameIn(params.username) !== user.username) {
        await readDeployment(db, params)
        throw new Problem('forbidden', 'Only the user who announced a deployment can withdraw it.')
      }
      const id = deploymentIdOf(params.id)
      if (id === null || !(await withdrawDeployment(db, { userId: user.id, id }))) throw notFound()
      return seeOther(`/${user.username}?done=withdrawn`)
    })
}

/** The deployment of an address, as its page shows it. Throws a Problem if there is none. */
export async function readDeployment(db: Db, params: { readonly username: string; readonly id: string }) {
  const username = usernameIn(params.username)
  const id = deploymentIdOf(params.id)
  const found = username === null || id === null ? null : await findWithNeighbours(db, { username, id })
  if (found !== null) return found
  throw notFound()
}

function notFound(): Problem {
  return new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}
