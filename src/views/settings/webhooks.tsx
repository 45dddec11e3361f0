import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { categories } from '../../domain/category.ts'
import { shownAddress } from '../../domain/webhook/address.ts'
import { mostWebhooks, type WebhookFormat, webhookFormats } from '../../domain/webhook/webhook.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import { BoundsFields, Choice, type FormState, SelectField, TextField } from '../parts/form-fields.tsx'
import { Form, keepOnError, Panel } from '../parts/panels-and-forms.tsx'

/** What the list shows of a webhook. */
export type WebhookRow = {
  readonly id: number
  readonly url: string
  readonly format: WebhookFormat
  readonly position: number
  readonly lastEvent: number
  readonly attempts: number
  readonly pausedBecause: string | null
}

type Props = { site: Site; viewer: User; webhooks: readonly WebhookRow[]; form: FormState }

export function WebhooksPage({ site, viewer, webhooks, form }: Props): JSX.Element {
  return (
    <Layout site={site} viewer={viewer} title="Webhooks" current="settings">
      <h1>Webhooks</h1>
      <p class="hint">
        Each sends your deployments to an address as they are announced. <a href="/settings">All settings</a>
      </p>
      <Panel id="webhooks" title="Yours">
        {webhooks.length === 0 ? (
          <p class="hint">None yet.</p>
        ) : (
          <ul
            id="webhook-list"
            hx-get="/settings/webhooks"
            hx-trigger="every 5s"
            hx-select="#webhook-list"
            hx-swap="outerMorph ignoreTitle:true"
            hx-sync="drop"
            {...keepOnError}
          >
            {webhooks.map((webhook) => (
              <li class="row">
                <span>
                  <a href={`/settings/webhooks/${webhook.id}`} safe>
                    {shownAddress(webhook)}
                  </a>{' '}
                  <span class="hint" safe>{`· ${webhookFormats[webhook.format]}`}</span>
                </span>
                <span class="hint" safe>
                  {stateOf(webhook)}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel id="add-webhook" title="Add a webhook" hint={`You can have ${mostWebhooks}.`}>
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
          <FilterFields form={form} />
        </Form>
      </Panel>
    </Layout>
  )
}

/** What a webhook is doing, in a few words. */
export function stateOf({ pausedBecause, attempts, position, lastEvent }: WebhookRow): string {
  if (pausedBecause !== null) return `paused: ${pausedBecause}`
  if (attempts > 0) return `failing: ${attempts} ${attempts === 1 ? 'try' : 'tries'} so far`
  return position < lastEvent ? 'sending' : 'up to date'
}

/** The fields of a filter. */
export function FilterFields({ form }: { form: FormState }): JSX.Element {
  return (
    <>
      <BoundsFields form={form} />
      <fieldset class="choices">
        <legend>Only these categories (none ticked: all)</legend>
        {Object.entries(categories).map(([category, label]) => (
          <Choice form={form} name={category} label={label} />
        ))}
      </fieldset>
      <fieldset class="choices">
        <legend>Withdrawals</legend>
        <Choice form={form} name="withdrawals" label="Also say what was withdrawn" />
      </fieldset>
    </>
  )
}
