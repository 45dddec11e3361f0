import { Html } from '@elysiajs/html'
import type { User } from '../../domain/account/user.ts'
import { type Category, categories } from '../../domain/category.ts'
import type { Reasons } from '../../domain/field-parsing.ts'
import { shownAddress } from '../../domain/webhook/address.ts'
import type { FilterValues, WebhookValues } from '../../domain/webhook/form.ts'
import { mostWebhooks, type WebhookFormat, webhookFormats } from '../../domain/webhook/webhook.ts'
import { Layout } from '../page/layout.tsx'
import type { Site } from '../page/site.ts'
import {
  BoundsFields,
  firstInvalid,
  keepOnError,
  Panel,
  TextField,
  Tick,
} from '../parts/panels-and-forms.tsx'

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

type Props = {
  site: Site
  viewer: User
  webhooks: readonly WebhookRow[]
  /** What was typed, and why it was refused. */
  typed: WebhookValues
  reasons: Reasons
}

export function WebhooksPage({ site, viewer, webhooks, typed, reasons }: Props): JSX.Element {
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
      <AddPanel typed={typed} reasons={reasons} />
    </Layout>
  )
}

/** What a webhook is doing, in a few words. */
export function stateOf({ pausedBecause, attempts, position, lastEvent }: WebhookRow): string {
  if (pausedBecause !== null) return `paused: ${pausedBecause}`
  if (attempts > 0) return `failing: ${attempts} ${attempts === 1 ? 'try' : 'tries'} so far`
  return position < lastEvent ? 'sending' : 'up to date'
}

function AddPanel({ typed, reasons }: Pick<Props, 'typed' | 'reasons'>): JSX.Element {
  const focused = firstInvalid(['url', 'token', 'targets', 'environments'], reasons)
  return (
    <Panel id="add-webhook" title="Add a webhook" hint={`You can have ${mostWebhooks}.`}>
      {/* Not a Form, because the answer is another page. */}
      <form class="stack" method="post" action="/settings/webhooks">
        <TextField
          name="url"
          label="Address"
          value={typed.url}
          hint="The incoming webhook of a chat, or an endpoint of your own"
          {...{ focused, reasons }}
        />
        <div class="columns">
          <div class="field">
            <label for="format">Format</label>
            <select id="format" name="format" autocomplete="off">
              <option value="" selected={typed.format === ''}>
                As the address suggests
              </option>
              {Object.entries(webhookFormats).map(([format, name]) => (
                <option value={format} selected={format === typed.format}>
                  {name}
                </option>
              ))}
            </select>
          </div>
          <TextField
            name="token"
            label="Token (optional)"
            value={typed.token}
            hint="For Matrix, Gotify or ntfy"
            isOptional
            {...{ focused, reasons }}
          />
        </div>
        <FilterFields {...{ typed, focused, reasons }} />
        <button class="primary" type="submit">
          Add webhook
        </button>
      </form>
    </Panel>
  )
}

type FilterProps = { typed: FilterValues; focused: string | undefined; reasons: Reasons }

/** The fields of a filter. */
export function FilterFields({ typed, focused, reasons }: FilterProps): JSX.Element {
  return (
    <>
      <BoundsFields {...{ typed, focused, reasons }} />
      <fieldset class="choices">
        <legend>Only these categories (none ticked: all)</legend>
        {Object.entries(categories).map(([category, label]) => (
          <Tick name={category} label={label} isTicked={typed[category as Category] !== ''} />
        ))}
      </fieldset>
      <fieldset class="choices">
        <legend>Withdrawals</legend>
        <Tick name="withdrawals" label="Also say what was withdrawn" isTicked={typed.withdrawals !== ''} />
      </fieldset>
    </>
  )
}
