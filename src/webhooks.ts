import { version } from '../package.json'
import type { Config } from './config.ts'
import { webhookStore } from './data/webhooks/sending.ts'
import type { Db } from './database/db.ts'
import { isOutage } from './database/errors.ts'
import { errorFacts, type Log } from './log/log.ts'
import { dispatchWebhooks } from './outbound/webhooks/dispatcher.ts'
import { webhookSender } from './outbound/webhooks/sender.ts'

/** The sender sends tests, and messages that the owner repeats. */
export type Webhooks = NonNullable<ReturnType<typeof sendWebhooks>>

type Options = {
  readonly config: Pick<Config, 'webhooks' | 'baseUrl'>
  readonly log: Log
  readonly onTried?: ((isDelivered: boolean) => void) | undefined
}

/** Starts to send webhooks; undefined if WEBHOOKS is off. */
export function sendWebhooks(db: Db, { config, log, onTried }: Options) {
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
  // Events that waited while the service was stopped are sent as soon as the database is open.
  db.migrated.then(dispatcher.wake, () => {})
  return { dispatcher, sender }
}
