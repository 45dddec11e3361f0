import type { WebhookReach } from '../../domain/webhook/address.ts'
import { formatRules } from '../../domain/webhook/format-rules.ts'
import { type Try, tryMs } from '../../domain/webhook/retries.ts'
import {
  type Claimed,
  messageIdOf,
  type SentMessage,
  signingPrefix,
  type WebhookEvent,
} from '../../domain/webhook/webhook.ts'
import { type Resolve, request, systemResolve, tryByHandMs } from './request.ts'

export type Recipient = Pick<Claimed, 'id' | 'url' | 'format' | 'secret' | 'oldSecret'>

type Options = {
  readonly reach: WebhookReach
  readonly baseUrl: string
  readonly version: string
  readonly resolve?: Resolve
  readonly ca?: string
}

/** The try decides what the webhook does next. */
export type Sent = { readonly sent: SentMessage; readonly tried: Try }

export type WebhookSender = ReturnType<typeof webhookSender>

/** Makes the functions that send messages and tests. None of them rejects. */
export function webhookSender({ reach, baseUrl, version, resolve = systemResolve, ca }: Options) {
  return {
    /** Sends the first of these events or, in a format that joins events, as many as fit into one message. */
    async send(to: Recipient, events: readonly [WebhookEvent, ...WebhookEvent[]]): Promise<Sent> {
      return await deliver(to, composed(to, events, messageIdOf(to, events[0]), false), tryMs)
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

/** A new secret to sign with. */
export function newWebhookSecret(): string {
  return signingPrefix + crypto.getRandomValues(new Uint8Array(32)).toBase64()
}

/** The headers of Standard Webhooks, with a signature by each secret. */
function signedHeaders(
  { secret, oldSecret }: Pick<Claimed, 'secret' | 'oldSecret'>,
  { messageId, body }: Pick<SentMessage, 'messageId' | 'body'>,
  now: Date,
): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const signatures = [secret, oldSecret]
    .filter((one) => one !== null)
    .map((one) => {
      const key = Uint8Array.fromBase64(one.slice(signingPrefix.length))
      const hasher = new Bun.CryptoHasher('sha256', key).update(`${messageId}.${timestamp}.${body}`)
      return `v1,${hasher.digest('base64')}`
    })
  const signature = signatures.join(' ')
  return { 'webhook-id': messageId, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
}
