import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { changeOwned, type Owned } from '../../data/account/owned.ts'
import { lastTargets } from '../../data/targets.ts'
import { databaseNow } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { facets, facetsOfMany } from '../../domain/feed/facets.ts'
import { writtenTarget } from '../../domain/restriction.ts'
import { onceCookie, showOnce } from '../../http/cookies.ts'
import {
  type FormContext,
  type FormContextOfOne,
  formHandler,
  pageOfForm,
  type Refused,
  RefusedForm,
  validOf,
} from '../../http/forms.ts'
import { Problem } from '../../http/problem.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import type { SettingsOptions } from '../../web/settings/form.tsx'
import { ownedForms } from '../../web/settings/owned.ts'
import type { WebhookReach } from './address.ts'
import type { WebhookDispatcher } from './delivery/dispatcher.ts'
import type { WebhookSender } from './delivery/sender.ts'
import { newWebhookSecret } from './delivery/signature.ts'
import { filterFields, parseFilter, parseWebhook, webhookFields } from './form.ts'
import { messagesByHand, outcomeOfLast } from './messages-by-hand.ts'
import { WebhookPage, WebhooksPage } from './page.tsx'
import { isSigningSecret, maxWebhooks, pausedByOperator } from './rules.ts'
import {
  addWebhook,
  deleteWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rollWebhookSecret,
  type StoredWebhook,
} from './store.ts'
import { webhooks } from './tables.ts'

type Options = SettingsOptions & {
  readonly reach: WebhookReach
  readonly dispatcher: WebhookDispatcher
  readonly sender: WebhookSender
}

const kind = { noun: 'webhook', max: maxWebhooks, field: 'url', idIn: idOf }

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, string> = new Map([
  ['paused', 'It is paused.'],
  ['resumed', 'It is resumed.'],
  ['filtered', 'The filter is saved, and applies from the next event on.'],
  ['rolled', 'The secret is rolled.'],
  ['deleted', 'The webhook is deleted.'],
])

/** The pages and forms of /settings/webhooks (docs/decisions.md#webhooks). */
export function webhookSettings({ db, site, pages, logSecurity, reach, dispatcher, sender }: Options) {
  const { found, named, added, changed } = ownedForms(kind, logSecurity)
  const byHand = messagesByHand(db, sender)
  const cookie = onceCookie(site.baseUrl, 'new-webhook-secret', isSigningSecret)

  return new Elysia({ name: 'settings-webhooks' })
    .use(owner(pages))
    .get('/settings/webhooks', (context) => listPage(null, context))
    .post(
      '/settings/webhooks',
      formHandler(webhookFields, listPage, async (context, typed) => {
        const { user } = context.visitor
        const [webhook, filter] = [parseWebhook(typed, reach), parseFilter(typed)]
        if (webhook.outcome === 'invalid' || filter.outcome === 'invalid') {
          const reasons = [webhook, filter].map((part) => (part.outcome === 'invalid' ? part.reasons : {}))
          throw new RefusedForm(Object.assign({}, ...reasons))
        }
        const { token, ...rest } = webhook.values
        if (await isHeldBack(user, rest.url)) throw new RefusedForm({ url: [heldBackReason] })
        const isSigned = rest.format === 'standard'
        const secret = isSigned ? newWebhookSecret() : token
        const { id } = added(await addWebhook(db, user.id, { ...rest, ...filter.values, secret }))
        dispatcher.wake()
        logSecurity('webhook_added', context, user.username)
        const shown = isSigned && secret !== null ? [cookie.set(secret)] : []
        return seeOther(`/settings/webhooks/${id}`, shown)
      }),
    )
    .get('/settings/webhooks/:id', (context) =>
      showOnce(context.request, [cookie], (secretIn) => webhookPage(null, context, secretIn(cookie))),
    )
    .post(
      '/settings/webhooks/:id/filter',
      formHandler(filterFields, webhookPage, async (context, typed) => {
        const filter = validOf(parseFilter(typed))
        return changed(
          context,
          (of) => changeOwned(db, webhooks, of, filter),
          '/settings/webhooks/:id?done=filtered',
        )
      }),
    )
    .post('/settings/webhooks/:id/test', async (context) => {
      const webhook = await usable(named(context))
      await byHand.test(webhook, context.visitor.user)
      return seeOther(`/settings/webhooks/${webhook.id}?done=sent`)
    })
    .post('/settings/webhooks/:id/deliveries/:delivery/again', async (context) => {
      const webhook = await usable(named(context))
      const deliveries = await listDeliveries(db, webhook)
      const delivery = deliveries.find(({ id }) => id === idOf(context.params.delivery))
      if (delivery === undefined) throw new Problem('not_found', 'This delivery is no longer kept.')
      await byHand.again(webhook, delivery)
      return seeOther(`/settings/webhooks/${webhook.id}?done=sent`)
    })
    .post('/settings/webhooks/:id/pause', (context) => {
      const pause = async (of: Owned) => pauseWebhook(db, await usable(of))
      return changed(context, pause, '/settings/webhooks/:id?done=paused')
    })
    .post('/settings/webhooks/:id/resume', (context) => resume(context, 'where_it_stopped'))
    .post('/settings/webhooks/:id/skip', (context) => resume(context, 'here'))
    .post('/settings/webhooks/:id/roll', (context) => {
      const secret = newWebhookSecret()
      const roll = (of: Owned) => rollWebhookSecret(db, of, secret)
      return changed(context, roll, '/settings/webhooks/:id?done=rolled', { cookies: [cookie.set(secret)] })
    })
    .post('/settings/webhooks/:id/delete', (context) => {
      const remove = async (of: Owned) => deleteWebhook(db, await usable(of))
      return changed(context, remove, '/settings/webhooks?done=deleted', { event: 'webhook_deleted' })
    })

  async function listPage(
    refused: Refused | null,
    { visitor: { user: viewer }, query }: FormContext,
  ): Promise<Response> {
    const [listed, targets] = await Promise.all([listWebhooks(db, viewer.id), lastTargets(db, viewer.id)])
    const notice = refused ? null : (notices.get(query.done) ?? null)
    const props = { site, viewer, webhooks: listed, targets, notice, form: refused ?? freshForm }
    return pageOfForm(<WebhooksPage {...props} />, refused)
  }

  async function webhookPage(
    refused: Refused | null,
    context: FormContextOfOne,
    newSecret: string | null = null,
  ): Promise<Response> {
    const viewer = context.visitor.user
    const done = refused ? undefined : context.query.done
    const webhook = found(await findWebhook(db, named(context)))
    const [deliveries, targets, now] = await Promise.all([
      listDeliveries(db, webhook),
      lastTargets(db, viewer.id),
      databaseNow(db),
    ])
    const props = {
      ...{ site, viewer, now, webhook, deliveries, targets },
      // Only the secret of this webhook: another one may have been added in another window.
      newSecret: newSecret === webhook.secret ? newSecret : null,
      notice: notices.get(done) ?? (done === 'sent' ? outcomeOfLast(deliveries) : null),
      form: refused ?? { ...freshForm, typed: filterOf(webhook) },
    }
    return pageOfForm(<WebhookPage {...props} />, refused)
  }

  /** Throws `forbidden` if the operator paused it. */
  async function usable(of: Owned): Promise<StoredWebhook> {
    const webhook = found(await findWebhook(db, of))
    if (webhook.pausedBecause === pausedByOperator) throw new Problem('forbidden', heldBackAdvice)
    return webhook
  }

  /** Whether the operator paused another webhook of the user to the same host. */
  async function isHeldBack(user: User, url: string): Promise<boolean> {
    const { hostname } = new URL(url)
    return (await listWebhooks(db, user.id)).some(
      (one) => one.pausedBecause === pausedByOperator && new URL(one.url).hostname === hostname,
    )
  }

  async function resume(context: FormContextOfOne, from: 'here' | 'where_it_stopped'): Promise<Response> {
    const go = async (of: Owned) => resumeWebhook(db, await usable(of), from)
    const answer = await changed(context, go, '/settings/webhooks/:id?done=resumed')
    dispatcher.wake()
    return answer
  }
}

const heldBackAdvice = 'The operator of this server paused this webhook. Only the operator can end that.'
const heldBackReason = 'leads to a host to which the operator of this server paused a webhook of yours'

/** The filter of a webhook as its owner would type it. */
function filterOf(webhook: StoredWebhook) {
  const { targets, categories, withdrawals } = webhook
  return {
    ...Object.fromEntries(categories.map((category) => [category, 'on'])),
    targets: targets.map(writtenTarget).join(', '),
    ...Object.fromEntries(
      facetsOfMany.map((facet) => [facets[facet].list, webhook[facets[facet].list].join(', ')]),
    ),
    withdrawals: withdrawals ? 'on' : '',
  }
}
