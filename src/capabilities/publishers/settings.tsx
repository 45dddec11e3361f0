import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { addOwned, deleteOwned } from '../../data/account/owned.ts'
import { publishers } from '../../data/account/tables.ts'
import type { Db } from '../../database/db.ts'
import { validOf } from '../../http/forms.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { type SettingsOptions, settingsForms } from '../../web/settings/form.tsx'
import { ownedForms } from '../../web/settings/owned.ts'
import type { SettingsPanel } from '../../web/settings/section.ts'
import { maxPublishers, parsePublisher } from './form.ts'
import { PublishersPanel } from './page.tsx'
import { listPublishers } from './store.ts'

/** The panel of the publishers that a user trusts. */
export const publishersPanel = (db: Db): SettingsPanel => ({
  id: 'publishers',
  name: 'Publishers',
  async read({ id }) {
    const listed = await listPublishers(db, id)
    return ({ done, secret: _, ...panel }) => (
      <PublishersPanel {...panel} publishers={listed} showsSteps={done === 'publisher-added'} />
    )
  },
  notices: { 'publisher-added': 'Publisher added.', 'publisher-removed': 'Publisher removed.' },
})

const fields = ['issuer', 'repository', 'workflow', 'environment', 'password'] as const

const kind = {
  noun: 'publisher',
  max: maxPublishers,
  field: 'repository',
  known: 'is among your publishers already',
  idIn: idOf,
} as const

/** The forms of that panel. */
export function publisherForms(options: SettingsOptions) {
  const { db, site, pages, logSecurity } = options
  const { form, recentlyConfirmed } = settingsForms(options)
  const { added, changed } = ownedForms(kind, logSecurity)

  return new Elysia({ name: 'settings-publishers' })
    .use(owner(pages))
    .post(
      '/settings/publishers',
      form('publishers', fields, async (context, { password, ...typed }) => {
        const pipeline = validOf(parsePublisher(typed, site.issuers))
        const { user } = context.visitor
        await recentlyConfirmed(context, password)
        const values = { ...pipeline, userId: user.id }
        added(await addOwned(db, publishers, values, { max: maxPublishers }))
        logSecurity('publisher_added', context, user.username)
        return seeOther('/settings?done=publisher-added')
      }),
    )
    .post('/settings/publishers/:id/delete', (context) => {
      const done = '/settings?done=publisher-removed'
      return changed(context, (of) => deleteOwned(db, publishers, of), done, { event: 'publisher_removed' })
    })
}
