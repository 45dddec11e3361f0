import { Elysia } from 'elysia'
import { addPublisher, removePublisher } from '../../data/account/publishers.ts'
import { mostPublishers, parsePublisher } from '../../domain/publisher/publisher-form.ts'
import { RefusedForm, validOf } from '../../http/forms.ts'
import { SignInRequired } from '../../http/problem.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { found, type SettingsOptions, settingsForms } from './form.tsx'

const fields = ['issuer', 'repository', 'workflow', 'environment'] as const

const addRefusals = {
  known: 'is among your publishers already',
  full: `cannot be added: you have ${mostPublishers} publishers, which is the limit`,
} as const

/** POST /settings/publishers and /settings/publishers/:id/delete, if any issuers are configured. */
export function publisherForms(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const app = new Elysia({ name: 'settings-publishers' })
  if (site.issuers.length === 0) return app
  const { form, recentlyConfirmed } = settingsForms(options)

  return app
    .use(owner(pages))
    .post(
      '/settings/publishers',
      form('publishers', [...fields, 'password'], async (context, { password, ...typed }) => {
        const pipeline = validOf(parsePublisher(typed, site.issuers))
        const { user } = context.visitor
        await recentlyConfirmed(context, password)
        const { outcome } = await addPublisher(db, user.id, pipeline)
        if (outcome === 'gone') throw new SignInRequired()
        if (outcome !== 'added') throw new RefusedForm({ repository: [addRefusals[outcome]] })
        logSecurity('publisher_added', context, user.username)
        return seeOther('/settings?done=publisher-added')
      }),
    )
    .post('/settings/publishers/:id/delete', async ({ request, server, visitor: { user }, params }) => {
      found(await removePublisher(db, user.id, idOf(params.id) ?? 0), 'publisher')
      logSecurity('publisher_removed', { request, server }, user.username)
      return seeOther('/settings?done=publisher-removed')
    })
}
