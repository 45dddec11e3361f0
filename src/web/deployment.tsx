import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { findDeployment, withdrawDeployment } from '../data/deployments.ts'
import type { Db } from '../database/db.ts'
import { Problem } from '../http/problem.ts'
import { idOf, usernameIn } from '../http/query.ts'
import { page, seeOther } from '../http/respond.ts'
import { sameOrigin } from '../http/same-origin.ts'
import { type Sessions, session, signedIn } from '../http/session.ts'
import { DeploymentPage } from '../views/deployment/page.tsx'
import type { Site } from '../views/page/site.ts'

type Options = { db: Db; site: Site; sessions: Sessions }

/** GET /<username>/<id>: one deployment's permanent page; POST to its /delete withdraws it. */
export function deployment({ db, site, sessions }: Options) {
  return new Elysia({ name: 'deployment' })
    .use(sameOrigin(site))
    .use(session(sessions))
    .get('/:username/:id', async ({ params, request, viewer }) => {
      const found = await readDeployment(db, params)
      const isPrivate = viewer !== null
      return page(<DeploymentPage site={site} viewer={viewer} {...found} />, { isPrivate, request })
    })
    .post(
      '/:username/:id/delete',
      async (context) => {
        const { viewer } = signedIn(context)
        const { deployment } = await readDeployment(db, context.params)
        if (deployment.poster.id !== viewer.id) {
          throw new Problem('forbidden', 'Only the one who announced a deployment can withdraw it.')
        }
        await withdrawDeployment(db, { userId: viewer.id, id: deployment.id })
        return seeOther(`/${viewer.username}`)
      },
      { parse: 'none' },
    )
}

async function readDeployment(db: Db, params: { username: string; id: string }) {
  const username = usernameIn(params.username)
  const id = idOf(params.id)
  const found = username === null || id === null ? null : await findDeployment(db, { username, id })
  if (found !== null) return found
  throw new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}
