import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { lastTargets } from '../../data/targets.ts'
import {
  addWebhook,
  deleteWebhook,
  filterWebhook,
  findWebhook,
  listDeliveries,
  listWebhooks,
  pauseWebhook,
  resumeWebhook,
  rollWebhookSecret,
  type StoredWebhook,
} from '../../data/webhooks/settings.ts'
import { databaseNow } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { writtenTarget } from '../../domain/restriction.ts'
import type { WebhookReach } from '../../domain/webhook/address.ts'
import { filterFields, parseFilter, parseWebhook, webhookFields } from '../../domain/webhook/form.ts'
import { mostWebhooks, pausedByOperator } from '../../domain/webhook/webhook.ts'
import { secretCookie } from '../../http/cookies.ts'
import {
  type FormContext,
  type FormContextOfOne,
  formHandler,
  pageOfForm,
  type Refused,
  RefusedForm,
  validOf,
} from '../../http/forms.ts'
import { Problem, SignInRequired } from '../../http/problem.ts'
import { idOf } from '../../http/query-parameters.ts'
import { seeOther } from '../../http/responses.ts'
import { owner } from '../../http/visitor.ts'
import type { WebhookDispatcher } from '../../outbound/webhooks/dispatcher.ts'
import { newWebhookSecret, type WebhookSender } from '../../outbound/webhooks/sender.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import { WebhookPage, WebhooksPage } from '../../views/settings/webhooks.tsx'
import { found, type SettingsOptions } from './form.tsx'
import { messagesByHand, outcomeOfLast } from './messages-by-hand.ts'

type Options = SettingsOptions & {
  readonly reach: WebhookReach
  readonly webhooks: { readonly dispatcher: WebhookDispatcher; readonly sender: WebhookSender }
}

/** The message after a form that succeeded, by the `done` of its redirect. */
const notices: ReadonlyMap<string | undefined, string> = new Map([
  ['paused', 'It is paused.'],
  ['resumed', 'It is resumed.'],
  ['filtered', 'The filter is saved, and applies from the next event on.'],
  ['rolled', 'The secret is rolled.'],
  ['deleted', 'The webhook is deleted.'],
])

/** The pages and forms of /settings/webhooks (docs/decisions.md#webhooks). */
export function webhookSettings({ db, site, pages, logSecurity, reach, webhooks }: Options) {
  const { dispatcher } = webhooks
  const byHand = messagesByHand(db, webhooks.sender)
  const cookie = secretCookie(site.baseUrl, 'new-webhook-secret')

  return new Elysia({ name: 'settings-webhooks' })
    .use(owner(pages))
    .get('/settings/webhooks', (context) => listPage(null, context, context.query))
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
        const added = await addWebhook(db, user.id, { ...rest, ...filter.values, secret })
        if (added.outcome === 'gone') throw new SignInRequired()
        if (added.outcome !== 'added') {
          const reason = `cannot be added: you have ${mostWebhooks} webhooks, which is the limit`
          throw new RefusedForm({ url: [reason] })
        }
        dispatcher.wake()
        logSecurity('webhook_added', context, user.username)
        const shown = isSigned && secret !== null ? [cookie.set(secret)] : []
        return seeOther(`/settings/webhooks/${added.id}`, shown)
      }),
    )
    .get('/settings/webhooks/:id', async (context) => {
      const newSecret = cookie.read(context.request)
      const response = await webhookPage(null, context, { done: context.query.done, newSecret })
      if (newSecret !== null) response.headers.append('Set-Cookie', cookie.clear())
      return response
    })
    .post(
      '/settings/webhooks/:id/filter',
      formHandler(filterFields, webhookPage, async ({ visitor: { user }, params: { id } }, typed) => {
        found(await filterWebhook(db, user.id, idOf(id) ?? 0, validOf(parseFilter(typed))), 'webhook')
        return seeOther(`/settings/webhooks/${id}?done=filtered`)
      }),
    )
    .post('/settings/webhooks/:id/test', async ({ visitor: { user }, params }) => {
      const webhook = await usableOf(user, params.id)
      await byHand.test(webhook, user)
      return seeOther(`/settings/webhooks/${webhook.id}?done=sent`)
    })
    .post('/settings/webhooks/:id/deliveries/:delivery/again', async ({ visitor: { user }, params }) => {
      const webhook = await usableOf(user, params.id)
      const deliveries = await listDeliveries(db, user.id, webhook.id)
      const delivery = deliveries.find(({ id }) => id === idOf(params.delivery))
      if (delivery === undefined) throw new Problem('not_found', 'This delivery is no longer kept.')
      await byHand.again(webhook, delivery)
      return seeOther(`/settings/webhooks/${webhook.id}?done=sent`)
    })
    .post('/settings/webhooks/:id/pause', async ({ visitor: { user }, params }) => {
      const { id } = await usableOf(user, params.id)
      found(await pauseWebhook(db, user.id, id), 'webhook')
      return seeOther(`/settings/webhooks/${params.id}?done=paused`)
    })
    .post('/settings/webhooks/:id/resume', ({ visitor: { user }, params }) =>
      resume(user, params.id, 'where_it_stopped'),
    )
    .post('/settings/webhooks/:id/skip', ({ visitor: { user }, params }) => resume(user, params.id, 'here'))
    .post('/settings/webhooks/:id/roll', async ({ visitor: { user }, params }) => {
      const secret = newWebhookSecret()
      found(await rollWebhookSecret(db, user.id, idOf(params.id) ?? 0, secret), 'webhook')
      return seeOther(`/settings/webhooks/${params.id}?done=rolled`, [cookie.set(secret)])
    })
    .post('/settings/webhooks/:id/delete', async ({ request, server, visitor: { user }, params }) => {
      const { id } = await usableOf(user, params.id)
      found(await deleteWebhook(db, user.id, id), 'webhook')
      logSecurity('webhook_deleted', { request, server }, user.username)
      return seeOther('/settings/webhooks?done=deleted')
    })

  async function listPage(
    refused: Refused | null,
    { visitor: { user: viewer } }: FormContext,
    { done }: { done?: string | undefined } = {},
  ): Promise<Response> {
    const [webhooks, targets] = await Promise.all([listWebhooks(db, viewer.id), lastTargets(db, viewer.id)])
    const notice = notices.get(done) ?? null
    const props = { site, viewer, webhooks, targets, notice, form: refused ?? freshForm }
    return pageOfForm(<WebhooksPage {...props} />, refused)
  }

  async function webhookPage(
    refused: Refused | null,
    { visitor: { user: viewer }, params }: FormContextOfOne,
    { done, newSecret = null }: { done?: string | undefined; newSecret?: string | null } = {},
  ): Promise<Response> {
    const webhook = await webhookOf(viewer, params.id)
    const [deliveries, targets, now] = await Promise.all([
      listDeliveries(db, viewer.id, webhook.id),
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

  async function webhookOf(user: User, id: string): Promise<StoredWebhook> {
    const webhook = await findWebhook(db, user.id, idOf(id) ?? 0)
    found(webhook !== null, 'webhook')
    return webhook
  }

  /** Throws `forbidden` if the operator paused it. */
  async function usableOf(user: User, id: string): Promise<StoredWebhook> {
    const webhook = await webhookOf(user, id)
    if (webhook.pausedBecause === pausedByOperator) throw new Problem('forbidden', heldBackAdvice)
    return webhook
  }

  /** Whether the operator paused another webhook of the user to the same host. */
  async function isHeldBack(user: User, url: string): Promise<boolean> {
    const paused = (await listWebhooks(db, user.id)).filter(
      ({ pausedBecause }) => pausedBecause === pausedByOperator,
    )
    return paused.some((webhook) => hostOf(webhook) === hostOf({ url }))
  }

  async function resume(user: User, id: string, from: 'here' | 'where_it_stopped'): Promise<Response> {
    found(await resumeWebhook(db, user.id, (await usableOf(user, id)).id, from), 'webhook')
    dispatcher.wake()
    return seeOther(`/settings/webhooks/${id}?done=resumed`)
  }
}

const heldBackAdvice = 'The operator of this server paused this webhook. Only the operator can end that.'
const heldBackReason = 'leads to a host to which the operator of this server paused a webhook of yours'

function hostOf({ url }: Pick<StoredWebhook, 'url'>): string {
  return new URL(url).hostname
}

/** The filter of a webhook as its owner would type it. */
function filterOf({ targets, environments, categories, withdrawals }: StoredWebhook) {
  return {
    ...Object.fromEntries(categories.map((category) => [category, 'on'])),
    targets: targets.map(writtenTarget).join(', '),
    environments: environments.join(', '),
    withdrawals: withdrawals ? 'on' : '',
  }
}
