import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { shownAddress } from '../../domain/webhook/address.ts'
import { isDelivered, outcomeOf } from '../../domain/webhook/retries.ts'
import { keptDeliveries, oldSecretHours, webhookFormats } from '../../domain/webhook/webhook.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import type { FormState } from '../parts/form-fields.tsx'
import { ActionButton, Form, keepOnError, Notice, Panel } from '../parts/panels-and-forms.tsx'
import { NewSecret } from '../parts/snippet.tsx'
import { Age } from '../parts/time-element.tsx'
import { FilterFields, stateOf, type WebhookRow } from './webhooks.tsx'

export type DeliveryRow = {
  readonly id: number
  readonly body: string
  readonly events: number
  readonly sentAt: Date
  readonly tookMs: number
  readonly status: number | null
  readonly error: string | null
  readonly isTest: boolean
}

type Props = {
  site: Site
  viewer: User
  now: Date
  webhook: WebhookRow
  deliveries: readonly DeliveryRow[]
  /** The new secret, which is shown once. */
  newSecret: string | null
  notice: string | null
  /** The filter. */
  form: FormState
}

/** The page of one webhook: what it does, its filter, and what it has sent. */
export function WebhookPage(props: Props): JSX.Element {
  const { site, viewer, now, webhook, deliveries, newSecret, notice, form } = props
  const address = shownAddress(webhook)
  const at = `/settings/webhooks/${webhook.id}`
  const isPaused = webhook.pausedBecause !== null
  return (
    <Layout site={site} viewer={viewer} title={`Webhook to ${address}`} current="settings">
      <h1>Webhook</h1>
      <p class="hint">
        <a href="/settings/webhooks">All webhooks</a>
      </p>
      <Panel id="webhook" title={address} hint={webhookFormats[webhook.format]}>
        {newSecret !== null && (
          <NewSecret
            id="new-secret"
            secret={newSecret}
            label="The secret that signs its messages."
            what="the secret"
          />
        )}
        <p
          id="webhook-state"
          hx-get={at}
          hx-trigger="every 5s"
          hx-select="#webhook-state"
          hx-select-oob="#delivered:outerMorph"
          hx-swap="outerHTML ignoreTitle:true"
          hx-sync="drop"
          {...keepOnError}
          safe
        >
          {`It is ${stateOf(webhook)}.`}
        </p>
        <Notice text={notice} />
        <div class="row">
          <ActionButton action={`${at}/test`} label="Send a test" />
          {isPaused ? (
            <>
              <ActionButton action={`${at}/resume`} label="Resume where it stopped" />
              <ActionButton action={`${at}/skip`} label="Resume, and skip what it missed" />
            </>
          ) : (
            <ActionButton action={`${at}/pause`} label="Pause" />
          )}
          {webhook.format === 'standard' && <ActionButton action={`${at}/roll`} label="Roll the secret" />}
        </div>
        {webhook.format === 'standard' && (
          <p class="hint">{`After a roll, messages are signed with the old secret too, for ${oldSecretHours} hours.`}</p>
        )}
      </Panel>
      <Panel id="filter" title="What it sends">
        <Form action={`${at}/filter`} within="filter" button="Save">
          <FilterFields form={form} />
        </Form>
      </Panel>
      <DeliveriesPanel {...{ at, now, deliveries }} />
      <Panel id="delete-webhook" title="Delete it" danger>
        <ActionButton action={`${at}/delete`} label="Delete webhook" isDanger />
      </Panel>
    </Layout>
  )
}

/** The last messages that it sent. */
function DeliveriesPanel({
  at,
  now,
  deliveries,
}: { at: string } & Pick<Props, 'now' | 'deliveries'>): JSX.Element {
  return (
    <Panel id="deliveries" title="Deliveries" hint={`The last ${keptDeliveries} messages.`}>
      {/* Refreshed together with the state; deliveries that the user has opened stay open. */}
      {deliveries.length === 0 ? (
        <p id="delivered" class="hint">
          None yet. The first one will be sent for your next deployment.
        </p>
      ) : (
        <ol id="delivered" class="refusals">
          {deliveries.map((delivery) => (
            <li class="row" id={`delivery-${delivery.id}`}>
              <details>
                <summary>
                  <code class={isDelivered(delivery) ? undefined : 'refusal-status'} safe>
                    {outcomeOf(delivery)}
                  </code>{' '}
                  <span class="hint">
                    <span safe>{`${delivery.tookMs} ms · ${carried(delivery)} · `}</span>
                    <Age then={delivery.sentAt} now={now} />
                  </span>
                </summary>
                <pre tabindex="0" safe>
                  {delivery.body}
                </pre>
              </details>
              <ActionButton action={`${at}/deliveries/${delivery.id}/again`} label="Send again" />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function carried({ events, isTest }: DeliveryRow): string {
  if (isTest) return 'test'
  return events === 1 ? '1 event' : `${events} events`
}
