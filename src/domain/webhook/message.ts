import type { WebhookEvent } from './webhook.ts'

/** What the content of a message is made from. */
export type Composition = {
  /** The address of the webhook. */
  readonly url: string
  /** In the order of their ids, and at least one. */
  readonly events: readonly [WebhookEvent, ...WebhookEvent[]]
  /** The same at each try of these events. */
  readonly messageId: string
  readonly baseUrl: string
  /** The present instant. */
  readonly now: Date
  /** Whether its owner asked to see what a message looks like. */
  readonly isTest: boolean
}

/** A body, which is sent as JSON, and how many of the events, from the first one, it carries. */
export type Content = { readonly body: unknown; readonly events: number }

/** Whom a message is for. */
export type Addressee = {
  /** The address of the webhook, and the token that its service asks for, if any. */
  readonly url: string
  readonly token: string | null
  readonly messageId: string
}

/** How a message is sent. */
export type MessageRequest = {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
