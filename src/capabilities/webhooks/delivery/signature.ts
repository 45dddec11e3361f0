import { signingPrefix } from '../rules.ts'
import type { Claimed, SentMessage } from './store.ts'

export function newWebhookSecret(): string {
  return signingPrefix + crypto.getRandomValues(new Uint8Array(32)).toBase64()
}

/** The headers of Standard Webhooks, with a signature by each secret. */
export function signedHeaders(
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
