import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { withdrawDeployment } from '../data/deployments.ts'
import { findAnnouncingToken, findWithNeighbours } from '../data/pages/deployment-page.ts'
import type { Db } from '../database/db.ts'
import { Problem } from '../http/problem.ts'
import { deploymentIdOf, usernameIn } from '../http/query-parameters.ts'
import { page, seeOther } from '../http/responses.ts'
import { owner } from '../http/visitor.ts'
import { DeploymentPage } from '../views/deployment/deployment-page.tsx'
import { findAddressed, noSuchDeployment } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

async function addressed(db: Db, params: Readonly<Record<'username' | 'id', string>>) {
  return await findAddressed(params, (address) => findWithNeighbours(db, address))
}

/** GET /<username>/<id>: the page of a deployment; POST to its /delete withdraws it. */
export function deployment({ db, site, pages, answerProject }: Dependencies) {
  return new Elysia({ name: 'deployment' })
    .use(pages)
    .get('/:username/:id', async ({ params, query, request, server, visitor }) => {
      const viewer = visitor?.user ?? null
      const { username, id } = params
      if (deploymentIdOf(id ?? '') === null)
        return await answerProject({ username, query, request, viewer, server })
      const found = await addressed(db, params)
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
        await addressed(db, params)
        throw new Problem('forbidden', 'Only the user who announced a deployment can withdraw it.')
      }
      const id = deploymentIdOf(params.id)
      if (id === null || !(await withdrawDeployment(db, { userId: user.id, id }))) throw noSuchDeployment()
      return seeOther(`/${user.username}?done=withdrawn`)
    })
}
