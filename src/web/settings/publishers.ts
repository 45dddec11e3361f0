import { Elysia } from 'elysia'
import { addPublisher, removePublisher } from '../../data/account/publishers.ts'
import { mostPublishers, parsePublisher } from '../../domain/publisher/publisher-form.ts'
import { readForm } from '../../http/body.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import type { SettingsOptions } from './form.tsx'
import { RefusedForm, settingsForms } from './form.tsx'

const addRefusals = {
  known: 'is among your publishers already',
  full: `cannot be added: you have ${mostPublishers} publishers, which is the limit`,
} as const

/** POST /settings/publishers and /settings/publishers/:id/delete, if any issuers are configured. */
export function publisherForms(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const app = new Elysia({ name: 'settings-publishers' })
  if (site.issuers.length === 0) return app
  const { form, confirmed } = settingsForms(options)

  return app
    .use(owner(pages))
    .post(
      '/settings/publishers',
      form('publishers', async (context) => {
        const { request, server, visitor } = context
        const typed = ['issuer', 'repository', 'workflow', 'environment'] as const
        const { password, ...values } = await readForm(request, [...typed, 'password'])
        const parsed = parsePublisher(values, site.issuers)
        if (parsed.outcome === 'invalid') throw new RefusedForm({ values, reasons: parsed.reasons })
        // As for a new token: otherwise someone who borrows the browser could announce from then on.
        if (!visitor.hasJustSignedIn) await confirmed(context, password, { values })
        const { outcome } = await addPublisher(db, visitor.user.id, parsed.values)
        if (outcome === 'gone') throw new SignInRequired()
        if (outcome !== 'added') {
          throw new RefusedForm({ values, reasons: { repository: [addRefusals[outcome]] } })
        }
        logSecurity('publisher_added', { request, server }, visitor.user.username)
        return seeOther('/settings?done=publisher-added')
      }),
    )
    .post('/settings/publishers/:id/delete', async ({ request, server, visitor: { user }, params }) => {
      if (!(await removePublisher(db, user.id, idOf(params.id) ?? 0))) {
        throw new Problem('not_found', 'You no longer have this publisher. The settings list those you have.')
      }
      logSecurity('publisher_removed', { request, server }, user.username)
      return seeOther('/settings?done=publisher-removed')
    })
}
