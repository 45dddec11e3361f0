import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { addReport } from '../data/abuse-reports.ts'
import { countAttempts } from '../data/account/attempts.ts'
import { withdrawDeployment } from '../data/deployments.ts'
import { findAnnouncingToken, findWithNeighbours } from '../data/pages/deployment-page.ts'
import type { Db } from '../database/db.ts'
import { parseReport } from '../domain/abuse-report.ts'
import { reportLimit } from '../domain/limits.ts'
import { formHandler, pageOfForm, type Refused, sentTooOften, validOf } from '../http/forms.ts'
import { Problem } from '../http/problem.ts'
import { deploymentIdOf, usernameIn } from '../http/query-parameters.ts'
import { page, seeOther } from '../http/responses.ts'
import { owner } from '../http/visitor.ts'
import { AbuseReportPage } from '../views/deployment/abuse-report-page.tsx'
import { DeploymentPage } from '../views/deployment/deployment-page.tsx'
import { deploymentAddress } from '../views/page/address.ts'
import { freshForm } from '../views/parts/form-fields.tsx'
import { findAddressed, noSuchDeployment } from './lists/part.ts'
import type { Dependencies } from './route-dependencies.ts'

async function addressed(db: Db, params: Readonly<Record<'username' | 'id', string>>) {
  return await findAddressed(params, (address) => findWithNeighbours(db, address))
}

/** GET /<username>/<id>: the page of a deployment; POST to its /delete withdraws it. */
export function deployment({ db, site, pages, answerProject }: Dependencies) {
  return new Elysia({ name: 'deployment' })
    .use(pages)
    .get('/:username/:id', async ({ params, query, request, visitor }) => {
      const viewer = visitor?.user ?? null
      const { username, id } = params
      if (deploymentIdOf(id ?? '') === null) return await answerProject({ username, query, request, viewer })
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

/** GET and POST /<username>/<id>/report: what a reader tells the operator (docs/decisions.md#reports). */
export function report({ db, site, pages, clientAddress, answerProject }: Dependencies) {
  return new Elysia({ name: 'report' })
    .use(pages)
    .get('/:username/:id/report', async ({ params, query, request, visitor }) => {
      const viewer = visitor?.user ?? null
      const { username, id } = params
      if (deploymentIdOf(id) === null) return await answerProject({ username, query, request, viewer })
      const { deployment } = await addressed(db, params)
      const isSent = query.done === 'sent'
      const shown = { site, viewer, deployment, isSent, form: freshForm }
      return page(<AbuseReportPage {...shown} />, { isPrivate: true })
    })
    .post('/:username/:id/report', async (context) => {
      const { deployment } = await addressed(db, context.params)
      const viewer = context.visitor?.user ?? null
      const show = (form: Refused) =>
        pageOfForm(<AbuseReportPage {...{ site, viewer, deployment, isSent: false, form }} />, form)
      const handle = formHandler(['reason', 'text'], show, async ({ request, server }, typed) => {
        const report = validOf(parseReport(typed))
        const subject = clientAddress(request, server)
        const wait = await countAttempts(db, [{ kind: 'report', subject, limit: reportLimit }])
        if (wait !== null) throw sentTooOften('Too many reports were sent from your address.', wait)
        await addReport(db, deployment.id, report)
        return seeOther(`${deploymentAddress(deployment)}/report?done=sent`)
      })
      return await handle(context)
    })
}
