import type { WebhookReach } from '../address.ts'
import { formatRules } from '../format-rules.ts'
import { messageIdOf, type WebhookEvent } from '../rules.ts'
import { type Resolve, request, systemResolve } from './request.ts'
import { type Try, tryByHandMs, tryMs } from './retries.ts'
import { signedHeaders } from './signature.ts'
import type { Claimed, SentMessage } from './store.ts'

type Recipient = Pick<Claimed, 'id' | 'url' | 'format' | 'secret' | 'oldSecret'>

type Options = {
  readonly reach: WebhookReach
  readonly baseUrl: string
  readonly version: string
  readonly resolve?: Resolve
  readonly ca?: string
}

/** The try decides what the webhook does next. */
type Sent = { readonly sent: SentMessage; readonly tried: Try }

export type WebhookSender = ReturnType<typeof webhookSender>

/** Makes the functions that send messages and tests. None of them rejects. */
export function webhookSender({ reach, baseUrl, version, resolve = systemResolve, ca }: Options) {
  return {
    /** Sends the first of these events or, in a format that joins events, as many as fit into one message. */
    async send(to: Recipient, events: readonly [WebhookEvent, ...WebhookEvent[]]): Promise<Sent> {
      return await deliver(to, composed(to, events, messageIdOf(to.id, events[0]), false), tryMs)
    },

    async test(to: Recipient, event: WebhookEvent): Promise<SentMessage> {
      const messageId = `msg_${to.id}_test_${crypto.randomUUID().replaceAll('-', '')}`
      return (await deliver(to, composed(to, [event], messageId, true), tryByHandMs)).sent
    },

    /** With the same id. */
    async again(to: Recipient, message: Omit<Sendable, 'hops'>): Promise<SentMessage> {
      return (await deliver(to, { ...message, hops: 0 }, tryByHandMs)).sent
    },
  }

  function composed(
    { url, format }: Recipient,
    events: readonly [WebhookEvent, ...WebhookEvent[]],
    messageId: string,
    isTest: boolean,
  ): Sendable {
    const composition = { url, events, messageId, isTest, baseUrl, now: new Date() }
    const content = formatRules[format].content(composition)
    const hops = Math.max(0, ...events.map((event) => (event.kind === 'announced' ? event.hops : 0)))
    return { messageId, isTest, events: content.events, body: JSON.stringify(content.body), hops }
  }

  async function deliver(to: Recipient, { hops, ...message }: Sendable, timeoutMs: number): Promise<Sent> {
    const { url, format, secret } = to
    const { messageId, body } = message
    const isSigned = format === 'standard'
    const addressee = { url, token: isSigned ? null : secret, messageId }
    const { headers, ...envelope } = formatRules[format].request?.(addressee) ?? {}
    const startedAt = performance.now()
    const tried = await request(
      {
        method: 'POST',
        url,
        ...envelope,
        headers: {
          'Content-Type': 'application/json',
          'User-Agent': `Shipfeed/${version} (${baseUrl})`,
          'Shipfeed-Hop': String(hops + 1),
          ...headers,
          ...(isSigned ? signedHeaders(to, message, new Date()) : {}),
        },
        body,
      },
      { reach, signal: AbortSignal.timeout(timeoutMs), resolve, ca },
    )
    const tookMs = Math.round(performance.now() - startedAt)
    return { tried, sent: { ...message, status: tried.status, error: tried.error, tookMs } }
  }
}

type Sendable = Pick<SentMessage, 'messageId' | 'isTest' | 'events' | 'body'> & { readonly hops: number }
