import type { Deployment } from '../../domain/deployment.ts'
import { type FacetLists, isInLists } from '../../domain/feed/facets.ts'
import { isKeyOf } from '../../domain/field-parsing.ts'

export const maxWebhooks = 20

export const keptDeliveries = 50

/** Before the secret of a `standard` webhook, which is 32 bytes in Base64: receivers' libraries take this form. */
export const signingPrefix = 'whsec_'

export function isSigningSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9+/]{43}=$/.test(text)
}

/** For how long the old secret signs too, after a roll. */
export const oldSecretHours = 24

/** The reason of a pause that only the operator ends: until then, its owner can neither use nor delete the webhook. */
export const pausedByOperator = 'the operator paused it'

/** What the messages of a webhook look like, each with the name that pages show. */
export const webhookFormats = {
  standard: 'Standard Webhooks (signed JSON)',
  slack: 'Slack, Mattermost, Rocket.Chat, Google Chat or Zulip',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  matrix: 'Matrix',
  ntfy: 'ntfy',
  gotify: 'Gotify',
  apprise: 'Apprise',
  cdevents: 'CDEvents',
} as const

export type WebhookFormat = keyof typeof webhookFormats
export const isWebhookFormat = isKeyOf(webhookFormats)

/** Which events of its owner a webhook sends. An empty list selects all. */
export type WebhookFilter = FacetLists & {
  /** Scopes of domain/target.ts. */
  readonly targets: readonly string[]
  /** Whether withdrawals are sent. The other filters do not apply to them. */
  readonly withdrawals: boolean
}

export type WebhookEvent =
  | {
      readonly kind: 'announced'
      readonly id: number
      readonly deployment: Deployment
      readonly scopes: readonly string[]
      /** How many webhooks the announcement has passed through. */
      readonly hops: number
    }
  | {
      readonly kind: 'withdrawn'
      readonly id: number
      readonly deploymentId: number
      /** When the deployment was announced; null in rows from old dumps. */
      readonly deployedAt: Date | null
      readonly username: string
    }

/** The instant by which an event is recognized, because a failover or a restore may give its id to another one. */
export function instantOf(event: WebhookEvent): Date | null {
  return event.kind === 'announced' ? event.deployment.deployedAt : event.deployedAt
}

/** The `webhook-id` of an event: the same at each try, and never that of another event. */
export function messageIdOf(webhookId: number, event: WebhookEvent): string {
  const withdrawn = event.kind === 'withdrawn' ? [event.deploymentId] : []
  const instant = instantOf(event)?.getTime().toString(36) ?? ''
  return ['msg', webhookId, event.id, instant, ...withdrawn].join('_')
}

/** Whether an event passes the filter of a webhook (docs/decisions.md#webhooks). */
export function isWanted(filter: WebhookFilter, event: WebhookEvent): boolean {
  if (event.kind === 'withdrawn') return filter.withdrawals
  const { targets } = filter
  const isOfTarget = targets.length === 0 || targets.some((target) => event.scopes.includes(target))
  return isOfTarget && isInLists(filter, event.deployment)
}

export type Composition = {
  readonly url: string
  /** In the order of their ids. */
  readonly events: readonly [WebhookEvent, ...WebhookEvent[]]
  readonly messageId: string
  readonly baseUrl: string
  readonly now: Date
  readonly isTest: boolean
}

/** A body, sent as JSON, and how many of the first events it carries. */
export type Content = { readonly body: unknown; readonly events: number }

export type MessageRequest = {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export type FormatRule = {
  readonly content: (composition: Composition) => Content
  /** What differs from a POST of JSON to the address. `token` is that of its service, if it has one. */
  readonly request?: (
    to: Pick<Composition, 'url' | 'messageId'> & { readonly token: string | null },
  ) => Partial<MessageRequest>
  /** The time between two messages, in which others join a first event; 0: events are sent alone. */
  readonly everyMs: number
  /** Whether its service asks the owner for a token. */
  readonly token: 'none' | 'optional' | 'required'
  readonly sendsWithdrawals: boolean
  /** What the path of an address must match, and an example in words. */
  readonly path?: { readonly pattern: RegExp; readonly advice: string }
}

type State = Readonly<Record<'attempts' | 'position' | 'lastEvent', number>> & {
  readonly pausedBecause: string | null
}

/** What a webhook is doing, in a few words. */
export function stateInWords(webhook: State): string {
  const { pausedBecause, attempts, position, lastEvent } = webhook
  if (pausedBecause !== null) return `paused: ${pausedBecause}`
  if (attempts > 0) return `failing: ${attempts} ${attempts === 1 ? 'try' : 'tries'} so far`
  return position < lastEvent ? 'sending' : 'up to date'
}
