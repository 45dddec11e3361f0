import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../../data/feed-pages.ts'
import { lastTargets } from '../../data/targets.ts'
import { keepDelivery } from '../../data/webhooks/sending.ts'
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
  type StoredDelivery,
  type StoredWebhook,
} from '../../data/webhooks/settings.ts'
import { type Db, databaseNow } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { wholeFeed } from '../../domain/feed/feed-and-page-sizes.ts'
import { writtenTarget } from '../../domain/restriction.ts'
import type { WebhookReach } from '../../domain/webhook/address.ts'
import { filterFields, parseFilter, parseWebhook, webhookFields } from '../../domain/webhook/form.ts'
import { outcomeOf } from '../../domain/webhook/retries.ts'
import { mostWebhooks, type SentMessage, type WebhookEvent } from '../../domain/webhook/webhook.ts'
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
import { newWebhookSecret, type WebhookSender } from '../../outbound/webhooks/signing-and-sending.ts'
import { freshForm } from '../../views/parts/form-fields.tsx'
import { WebhookPage, WebhooksPage } from '../../views/settings/webhooks.tsx'
import { found, type SettingsOptions } from './form.tsx'

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
])

/** The pages and forms of /settings/webhooks (docs/decisions.md#webhooks). */
export function webhookSettings({ db, site, pages, logSecurity, reach, webhooks }: Options) {
  const { dispatcher, sender } = webhooks
  const cookie = secretCookie(site.baseUrl, 'new-webhook-secret')

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
      const webhook = await webhookOf(user, params.id)
      return await sentByHand(webhook, await sender.test(recipientOf(webhook), await exampleOf(db, user)))
    })
    .post('/settings/webhooks/:id/deliveries/:delivery/again', async ({ visitor: { user }, params }) => {
      const webhook = await webhookOf(user, params.id)
      const deliveries = await listDeliveries(db, user.id, webhook.id)
      const delivery = deliveries.find(({ id }) => id === idOf(params.delivery))
      if (delivery === undefined) throw new Problem('not_found', 'This delivery is no longer kept.')
      return await sentByHand(webhook, await sender.again(recipientOf(webhook), delivery))
    })
    .post('/settings/webhooks/:id/pause', async ({ visitor: { user }, params }) => {
      found(await pauseWebhook(db, user.id, idOf(params.id) ?? 0), 'webhook')
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
      found(await deleteWebhook(db, user.id, idOf(params.id) ?? 0), 'webhook')
      logSecurity('webhook_deleted', { request, server }, user.username)
      return seeOther('/settings/webhooks')
    })

  async function listPage(
    refused: Refused | null,
    { visitor: { user: viewer } }: FormContext,
  ): Promise<Response> {
    const [webhooks, targets] = await Promise.all([listWebhooks(db, viewer.id), lastTargets(db, viewer.id)])
    const props = { site, viewer, webhooks, targets, form: refused ?? freshForm }
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

  async function resume(user: User, id: string, from: 'here' | 'where_it_stopped'): Promise<Response> {
    found(await resumeWebhook(db, user.id, idOf(id) ?? 0, from), 'webhook')
    dispatcher.wake()
    return seeOther(`/settings/webhooks/${id}?done=resumed`)
  }

  async function sentByHand({ id }: StoredWebhook, sent: SentMessage): Promise<Response> {
    await keepDelivery(db, id, sent)
    return seeOther(`/settings/webhooks/${id}?done=sent`)
  }
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

/** The result of a message that was sent by hand, which is the last delivery. */
function outcomeOfLast([last]: readonly StoredDelivery[]): string | null {
  return last === undefined ? null : `Sent: ${outcomeOf(last)}, after ${last.tookMs} ms.`
}

function recipientOf({ id, url, format, secret }: StoredWebhook) {
  return { id, url, format, secret, oldSecret: null }
}

/** The deployment that a test message shows: the last one of its owner, or an invented one. */
async function exampleOf(db: Db, user: User): Promise<WebhookEvent> {
  const { deployments, now } = await listDeployments(db, {
    ...wholeFeed,
    userId: user.id,
    before: null,
    limit: 1,
  })
  const message = 'A deployment would look like this'
  const example = { id: 0, message, url: null, category: null, deployedAt: now, poster: user }
  const deployment = deployments[0] ?? example
  return { kind: 'announced', id: deployment.id, deployment, scopes: [], hops: 0 }
}
