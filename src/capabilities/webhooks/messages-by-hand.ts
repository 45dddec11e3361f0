import { admit } from '../../data/account/throttle.ts'
import { listDeployments } from '../../data/feed-pages.ts'
import type { Db } from '../../database/db.ts'
import type { User } from '../../domain/account/user.ts'
import { sentByHandLimits } from '../../domain/attempt-limits.ts'
import { wholeFeed } from '../../domain/feed/feed.ts'
import { waitInWords } from '../../domain/time.ts'
import { Problem } from '../../http/problem.ts'
import { outcomeOf } from './delivery/retries.ts'
import type { WebhookSender } from './delivery/sender.ts'
import { keepDelivery, type SentMessage } from './delivery/store.ts'
import type { WebhookEvent } from './rules.ts'
import type { StoredDelivery, StoredWebhook } from './store.ts'

/** The messages of webhooks that their owners send by hand. Both throw a Problem for one too many. */
export function messagesByHand(db: Db, sender: WebhookSender) {
  return {
    async test(webhook: StoredWebhook, user: User): Promise<void> {
      await send(webhook, async () => sender.test({ ...webhook, oldSecret: null }, await exampleOf(db, user)))
    },
    async again(webhook: StoredWebhook, delivery: StoredDelivery): Promise<void> {
      await send(webhook, () => sender.again({ ...webhook, oldSecret: null }, delivery))
    },
  }

  async function send(
    { id, userId, url }: StoredWebhook,
    sending: () => Promise<SentMessage>,
  ): Promise<void> {
    const wait = await admit(db, [
      { kind: 'webhook_user', subject: String(userId), limit: sentByHandLimits.user },
      { kind: 'webhook_host', subject: new URL(url).hostname, limit: sentByHandLimits.host },
    ])
    if (wait !== null) {
      const advice = `Too many messages were sent by hand. Try again in ${waitInWords(wait)}.`
      throw new Problem('rate_limited', advice, { 'Retry-After': String(wait) })
    }
    await keepDelivery(db, id, await sending())
  }
}

/** The result of a message that was sent by hand, which is the last delivery. */
export function outcomeOfLast([last]: readonly StoredDelivery[]): string | null {
  return last === undefined ? null : `Sent: ${outcomeOf(last)}, after ${last.tookMs} ms.`
}

/** The deployment that a test message shows: the last one of its owner, or an invented one. */
async function exampleOf(db: Db, user: User): Promise<WebhookEvent> {
  const last = { ...wholeFeed, userId: user.id, before: null, limit: 1 }
  const { deployments, now } = await listDeployments(db, last)
  const message = 'A deployment would look like this'
  const example = { id: 0, message, url: null, category: null, deployedAt: now, poster: user }
  const [deployment = example] = deployments
  return { kind: 'announced', id: deployment.id, deployment, scopes: [], hops: 0 }
}
