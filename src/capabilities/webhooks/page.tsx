import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { categories } from '../../domain/category.ts'
import { facetsOfMany } from '../../domain/feed/facets.ts'
import { Layout } from '../../views/page/layout.tsx'
import type { Site } from '../../views/page/site.ts'
import { ActionButton, Form, Notice, polled, TwoSteps } from '../../views/parts/form.tsx'
import {
  BoundsFields,
  Choice,
  type FormState,
  SelectField,
  TextField,
} from '../../views/parts/form-fields.tsx'
import { escaped } from '../../views/parts/markup.ts'
import { counted } from '../../views/parts/numbers.ts'
import { Panel, Row } from '../../views/parts/panel.tsx'
import { NewSecret } from '../../views/parts/snippet.tsx'
import { Age } from '../../views/parts/time-element.tsx'
import type { PanelProps } from '../../views/settings/account.tsx'
import { shownAddress } from './address.ts'
import { isDelivered, outcomeOf } from './delivery/retries.ts'
import { filterInWords } from './form.ts'
import {
  keptDeliveries,
  maxWebhooks,
  oldSecretHours,
  pausedByOperator,
  stateInWords,
  webhookFormats,
} from './rules.ts'
import type { StoredDelivery, StoredWebhook } from './store.ts'

type FilterProps = {
  form: FormState
  /** The last targets of the viewer. */
  targets: readonly string[]
}

type Props = FilterProps & {
  site: Site
  viewer: User
  webhooks: readonly StoredWebhook[]
  notice: string | null
}

export function WebhooksPage({ site, viewer, webhooks, notice, form, targets }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={viewer} title="Webhooks" current="settings">
      <h1>Webhooks</h1>
      <p class="hint">
        Each sends your deployments to an address as they are announced. <a href="/settings">All settings</a>
      </p>
      <Panel id="webhooks" title="Your webhooks">
        <Notice text={notice} />
        {webhooks.length === 0 ? (
          <p class="hint">No webhooks yet.</p>
        ) : (
          <ul
            id="webhook-list"
            hx-get="/settings/webhooks"
            hx-select="#webhook-list"
            hx-swap="outerMorph ignoreTitle:true"
            {...polled(5)}
          >
            {webhooks.map((webhook) => (
              <Row aside={escaped(stateInWords(webhook))}>
                <a href={`/settings/webhooks/${webhook.id}`}>{escaped(shownAddress(webhook))}</a>{' '}
                <span class="hint" safe>
                  {`· ${[webhookFormats[webhook.format], ...filterInWords(webhook)].join(' · ')}`}
                </span>
              </Row>
            ))}
          </ul>
        )}
      </Panel>
      <Panel id="add-webhook" title="Add a webhook" hint={`Up to ${maxWebhooks}.`}>
        <Form action="/settings/webhooks" button="Add webhook" look="primary">
          <TextField
            form={form}
            name="url"
            label="Address"
            hint="The incoming webhook of a chat, or an endpoint of your own"
          />
          <div class="columns">
            <SelectField
              form={form}
              name="format"
              label="Format"
              options={[['', 'As the address suggests'], ...Object.entries(webhookFormats)]}
            />
            <TextField
              form={form}
              name="token"
              label="Token (optional)"
              hint="For Matrix, Gotify or ntfy"
              isOptional
            />
          </div>
          <FilterFields form={form} targets={targets} />
        </Form>
      </Panel>
    </Layout>
  )
}

function FilterFields({ form, targets }: FilterProps): JSX.Element {
  return (
    <>
      <BoundsFields form={form} targets={targets} further={facetsOfMany} />
      <fieldset class="choices">
        <legend>Only these categories (none ticked: all)</legend>
        {Object.entries(categories).map(([category, label]) => (
          <Choice form={form} name={category} label={label} />
        ))}
      </fieldset>
      <fieldset class="choices">
        <legend>Withdrawals</legend>
        <Choice form={form} name="withdrawals" label="Also report withdrawals" />
      </fieldset>
    </>
  )
}

type OneProps = Omit<PanelProps, 'asksPassword'> &
  FilterProps & {
    webhook: StoredWebhook
    deliveries: readonly StoredDelivery[]
    newSecret: string | null
  }

/** The page of one webhook: what it does, its filter, and what it has sent. */
export function WebhookPage(props: OneProps): JSX.Element {
  const { site, viewer, webhook, newSecret, notice, form, targets } = props
  const address = shownAddress(webhook)
  const at = `/settings/webhooks/${webhook.id}`
  const isHeldBack = webhook.pausedBecause === pausedByOperator
  const state = stateInWords(webhook)
  return (
    <Layout site={site} viewer={viewer} title={`Webhook to ${address}`} current="settings">
      <h1>Webhook</h1>
      <p class="hint">
        <a href="/settings/webhooks">All webhooks</a>
      </p>
      <Panel id="webhook" title={address} hint={webhookFormats[webhook.format]}>
        {newSecret !== null && <NewSecret secret={newSecret} label="The secret that signs its messages." />}
        <p
          id="webhook-state"
          hx-get={at}
          hx-select="#webhook-state"
          hx-select-oob="#delivered:outerMorph"
          hx-swap="outerHTML ignoreTitle:true"
          {...polled(5)}
          safe
        >
          {state.charAt(0).toUpperCase() + state.slice(1)}
        </p>
        <Notice text={notice} />
        {isHeldBack ? (
          <p class="hint">Only the operator of this server can end that.</p>
        ) : (
          <Actions webhook={webhook} at={at} />
        )}
        {webhook.format === 'standard' && (
          <p class="hint">{`After a roll, messages are signed with the old secret too, for ${oldSecretHours} hours.`}</p>
        )}
      </Panel>
      <Panel id="filter" title="What it sends">
        <Form action={`${at}/filter`} within="filter" button="Save">
          <FilterFields form={form} targets={targets} />
        </Form>
      </Panel>
      <DeliveriesPanel {...props} />
      {!isHeldBack && (
        <Panel id="delete-webhook" title="Delete this webhook" danger>
          <TwoSteps
            label="Delete webhook"
            hint="Nothing more is sent to it, and its deliveries are forgotten."
          >
            <ActionButton action={`${at}/delete`} label="Delete it now" isDanger />
          </TwoSteps>
        </Panel>
      )}
    </Layout>
  )
}

function Actions({ webhook, at }: { webhook: StoredWebhook; at: string }): JSX.Element {
  return (
    <div class="row">
      <ActionButton action={`${at}/test`} label="Send a test" />
      {webhook.pausedBecause === null ? (
        <ActionButton action={`${at}/pause`} label="Pause" />
      ) : (
        <>
          <ActionButton action={`${at}/resume`} label="Resume where it stopped" />
          <ActionButton action={`${at}/skip`} label="Resume, and skip what it missed" />
        </>
      )}
      {webhook.format === 'standard' && <ActionButton action={`${at}/roll`} label="Roll the secret" />}
    </div>
  )
}

function DeliveriesPanel({ now, webhook, deliveries }: OneProps): JSX.Element {
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
                  <code class={isDelivered(delivery) ? undefined : 'refusal-status'}>
                    {escaped(outcomeOf(delivery))}
                  </code>{' '}
                  <span class="hint">
                    <span
                      safe
                    >{`${delivery.tookMs} ms · ${delivery.isTest ? 'test' : counted(delivery.events, 'event')} · `}</span>
                    <Age then={delivery.sentAt} now={now} />
                  </span>
                </summary>
                <pre tabindex="0">{escaped(delivery.body)}</pre>
              </details>
              {webhook.pausedBecause !== pausedByOperator && (
                <ActionButton
                  action={`/settings/webhooks/${webhook.id}/deliveries/${delivery.id}/again`}
                  label="Send again"
                />
              )}
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}
