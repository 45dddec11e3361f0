import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { findPermanent } from '../data/permanent.ts'
import { withdrawDeployment } from '../data/withdrawals.ts'
import type { Db } from '../database/db.ts'
import { owner, type Pages } from '../http/pages.ts'
import { Problem } from '../http/problem.ts'
import { idOf, usernameIn } from '../http/query.ts'
import { page, seeOther } from '../http/respond.ts'
import { DeploymentPage } from '../views/deployment/page.tsx'
import type { Site } from '../views/page/site.ts'
import type { AnswerProject } from './answer-project.tsx'

type Options = { db: Db; site: Site; pages: Pages; answerProject: AnswerProject }

/** GET /<username>/<id>: the page of a deployment; POST to its /delete withdraws it. */
export function deployment({ db, site, pages, answerProject }: Options) {
  return new Elysia({ name: 'deployment' })
    .use(pages)
    .get('/:username/:id', async ({ params, query, request, viewer }) => {
      if (idOf(params.id ?? '') === null) return await answerProject({ params, query, request, viewer })
      const found = await readDeployment(db, params)
      const isPrivate = viewer !== null
      return page(<DeploymentPage site={site} viewer={viewer} {...found} />, { isPrivate, request })
    })
    .use(owner(pages))
    .post('/:username/:id/delete', async ({ params, viewer }) => {
      if (usernameIn(params.username) !== viewer.username) {
        await readDeployment(db, params)
        throw new Problem('forbidden', 'Only the one who announced a deployment can withdraw it.')
      }
      const id = idOf(params.id)
      if (id === null || !(await withdrawDeployment(db, { userId: viewer.id, id }))) throw noDeployment()
      return seeOther(`/${viewer.username}?done=withdrawn`)
    })
}

async function readDeployment(db: Db, params: { username: string; id: string }) {
  const username = usernameIn(params.username)
  const id = idOf(params.id)
  const found = username === null || id === null ? null : await findPermanent(db, { username, id })
  if (found !== null) return found
  throw noDeployment()
}

function noDeployment(): Problem {
  return new Problem('not_found', 'There is no such deployment, or it was withdrawn.')
}
