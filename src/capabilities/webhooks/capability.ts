import { version } from '../../../package.json'
import type { Brought, Capability, Service } from '../../capability.ts'
import { isOutage } from '../../database/errors.ts'
import { errorFacts } from '../../log/log.ts'
import { settingsIn } from '../../settings-reader.ts'
import { type WebhookReach, webhookReaches } from './address.ts'
import { pauseWebhookCommand, resumeWebhookCommand, webhookFinding, webhooksCommand } from './commands.ts'
import { dispatchWebhooks } from './delivery/dispatcher.ts'
import { webhookSender } from './delivery/sender.ts'
import { webhooksDocs } from './docs/docs.tsx'
import { webhooksDescription } from './docs/openapi.ts'
import { countWaiting, listAllWebhooks } from './operation.ts'
import { webhookSettings } from './routes.tsx'

const variables = {
  WEBHOOKS: {
    words: webhookReaches,
    says: '`public`: users may have events sent to public https addresses; `any`: [to every address](operations.md#what-goes-out), also in your network. Our compose file sets `public`',
  },
} as const

const tried = 'shipfeed_webhook_messages_total'

/** Sends the events of an account to addresses and chats (docs/decisions.md#webhooks). */
export const webhooksCapability: Capability = {
  name: 'webhooks',
  variables,
  commands: [webhooksCommand, pauseWebhookCommand, resumeWebhookCommand],
  metrics: {
    [tried]: {
      type: 'counter',
      labels: ['outcome'],
      known: ['sent', 'failed'],
      help: 'Tries to send a message to a webhook: sent, or failed.',
    },
    shipfeed_webhooks_waiting: {
      type: 'gauge',
      help: 'With WEBHOOKS: webhooks with an event to send, without paused ones; the same on every process.',
    },
    shipfeed_webhooks_oldest_seconds: {
      type: 'gauge',
      help: 'With WEBHOOKS: how long the oldest of these events has waited, without webhooks that are failing.',
    },
  },
  check: async (queries, { service }) => [webhookFinding(await listAllWebhooks(queries), service.webhooks)],
  configure(env) {
    const reach = settingsIn(env, variables).oneOf('WEBHOOKS')
    if (reach === 'off') return null
    return {
      noted: { webhooks: reach },
      docs: webhooksDocs,
      openApi: webhooksDescription,
      start: (service) => start(service, reach),
    }
  },
}

function start({ db, config: { baseUrl }, log, observer }: Service, reach: WebhookReach): Brought {
  const sender = webhookSender({ reach, baseUrl, version })
  const dispatcher = dispatchWebhooks(db, {
    send: sender.send,
    onTried: (isDelivered) => observer?.count(tried, isDelivered ? 'sent' : 'failed'),
    onError(error) {
      if (!isOutage(error)) log('webhooks_failed', errorFacts(error, { withStack: true }))
    },
  })
  // One query per scrape: the first of the two gauges reads for both.
  let counting: Promise<Awaited<ReturnType<typeof countWaiting>> | null> = Promise.resolve(null)
  return {
    routes: (dependencies) => webhookSettings({ ...dependencies, reach, dispatcher, sender }),
    settings: {
      id: 'webhooks',
      name: 'Webhooks',
      hint: 'Send your deployments to an address, or into a chat.',
    },
    gauges: {
      async shipfeed_webhooks_waiting() {
        counting = countWaiting(db).catch(() => null)
        return (await counting)?.waiting ?? null
      },
      shipfeed_webhooks_oldest_seconds: async () => (await counting)?.oldestSeconds ?? null,
    },
    onBell: dispatcher.look,
    // Events that waited while the service was stopped.
    onMigrated: dispatcher.wake,
    stop: dispatcher.close,
  }
}
