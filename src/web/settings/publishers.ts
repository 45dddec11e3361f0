import { Elysia } from 'elysia'
import { addPublisher, mostPublishers, removePublisher } from '../../data/account/publishers.ts'
import { parsePublisher } from '../../domain/publisher/form.ts'
import { readForm } from '../../http/body.ts'
import { owner } from '../../http/pages.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { idOf } from '../../http/query.ts'
import { seeOther } from '../../http/respond.ts'
import { ownPasswordRefusal } from './own-password.ts'
import { type SettingsOptions, settingsRenderer } from './page.tsx'

const panel = 'publishers'
const done = `/settings?done=${panel}`

const refusals = {
  known: 'is among your publishers already',
  full: `cannot be added: you have ${mostPublishers} publishers, which is as many as there can be`,
} as const

/** POST /settings/publishers and /settings/publishers/:id/delete, where there are issuers to trust. */
export function publisherForms(options: SettingsOptions) {
  const { db, site, pages, tell } = options
  const app = new Elysia({ name: 'settings-publishers' })
  if (site.issuers.length === 0) return app
  const render = settingsRenderer(options)

  return app
    .use(owner(pages))
    .post('/settings/publishers', async ({ request, server, viewer, sessionHash, hasJustSignedIn }) => {
      const visitor = { viewer, sessionHash, hasJustSignedIn }
      const typed = ['issuer', 'repository', 'workflow', 'environment'] as const
      const { password, ...values } = await readForm(request, [...typed, 'password'])
      const parsed = parsePublisher(values, site.issuers)
      if ('reasons' in parsed) return await render(visitor, { panel, values, reasons: parsed.reasons })
      // As a new token does: whoever borrows a browser could announce with it for ever.
      const refusal = hasJustSignedIn ? null : await ownPasswordRefusal(db, visitor, password)
      if (refusal !== null) {
        tell('password_refused', { request, server }, viewer.username)
        const { reason, retryAfterSeconds } = refusal
        const reasons = { password: [reason] }
        return await render(visitor, { panel, values, reasons, retryAfterSeconds })
      }
      const outcome = await addPublisher(db, viewer.id, parsed.pipeline)
      if (outcome === 'gone') throw new SignInRequired()
      if (outcome !== 'added') {
        return await render(visitor, { panel, values, reasons: { repository: [refusals[outcome]] } })
      }
      tell('publisher_added', { request, server }, viewer.username)
      return seeOther(done)
    })
    .post('/settings/publishers/:id/delete', async ({ request, server, viewer, params }) => {
      if (!(await removePublisher(db, viewer.id, idOf(params.id) ?? 0)))
        throw new Problem('not_found', isGone)
      tell('publisher_removed', { request, server }, viewer.username)
      return seeOther(done)
    })
}

const isGone = 'You have no such publisher any more. Open the settings to see those that you have.'
