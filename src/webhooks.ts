import { version } from '../package.json'
import type { Config } from './config.ts'
import { webhookStore } from './data/webhooks/sending.ts'
import type { Db } from './database/db.ts'
import { isOutage } from './database/errors.ts'
import { errorFacts, type Log } from './log/log.ts'
import { dispatchWebhooks, type WebhookDispatcher } from './outbound/webhooks/dispatcher.ts'
import { type WebhookSender, webhookSender } from './outbound/webhooks/sender.ts'

/** What sends webhooks: the dispatcher of the log, and the sender for tests and for messages that are sent again. */
export type Webhooks = { readonly dispatcher: WebhookDispatcher; readonly sender: WebhookSender }

type Options = {
  readonly config: Pick<Config, 'webhooks' | 'baseUrl'>
  readonly log: Log
  readonly onTried?: ((isDelivered: boolean) => void) | undefined
}

/** Starts to send webhooks; undefined without WEBHOOKS, and then nothing is sent and nothing is looked for. */
export function sendWebhooks(db: Db, { config, log, onTried }: Options): Webhooks | undefined {
  const { webhooks: reach, baseUrl } = config
  if (reach === 'off') return undefined
  const sender = webhookSender({ reach, baseUrl, version })
  const dispatcher = dispatchWebhooks({
    store: webhookStore(db),
    send: sender.send,
    onTried,
    onError(error) {
      if (!isOutage(error)) log('webhooks_failed', errorFacts(error, { withStack: true }))
    },
  })
  // What waited during a stop is sent as soon as the database is open.
  db.migrated.then(dispatcher.wake, () => {})
  return { dispatcher, sender }
}
