import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { countAttempts } from '../../data/account/throttle.ts'
import { findWithNeighbours } from '../../data/pages/deployment-page.ts'
import { reportLimit } from '../../domain/attempt-limits.ts'
import { formHandler, pageOfForm, type Refused, sentTooOften, validOf } from '../../http/forms.ts'
import { deploymentIdOf } from '../../http/query-parameters.ts'
import { page, seeOther } from '../../http/responses.ts'
import { deploymentAddress } from '../../views/page/address.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import { findAddressed } from '../../web/lists/part.ts'
import type { Dependencies } from '../../web/route-dependencies.ts'
import { AbuseReportPage } from './page.tsx'
import { parseReport } from './rules.ts'
import { addReport } from './store.ts'

/** GET and POST /<username>/<id>/report: what a reader tells the operator (docs/decisions.md#reports). */
export function report({ db, site, pages, clientAddress, answerProject }: Dependencies) {
  const addressed = (params: Readonly<Record<'username' | 'id', string>>) =>
    findAddressed(params, (address) => findWithNeighbours(db, address))

  return new Elysia({ name: 'report' })
    .use(pages)
    .get('/:username/:id/report', async ({ params, query, request, server, visitor }) => {
      const viewer = visitor?.user ?? null
      const { username, id } = params
      if (deploymentIdOf(id) === null)
        return await answerProject({ username, query, request, viewer, server })
      const { deployment } = await addressed(params)
      const isSent = query.done === 'sent'
      const shown = { site, viewer, deployment, isSent, form: freshForm }
      return page(<AbuseReportPage {...shown} />, { isPrivate: true })
    })
    .post('/:username/:id/report', async (context) => {
      const { deployment } = await addressed(context.params)
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
