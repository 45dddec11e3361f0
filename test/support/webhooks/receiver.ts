import type { Server } from 'bun'
import { Webhook } from 'standardwebhooks'
import { newWebhookSecret } from '../../../src/capabilities/webhooks/delivery/signature.ts'
import { addWebhook, type NewWebhook } from '../../../src/capabilities/webhooks/store.ts'
import { type FacetLists, facetLists } from '../../../src/domain/feed/facets.ts'
import { userIdOf } from '../deployments.ts'
import type { Person } from '../people.ts'
import type { Service } from '../service.ts'

/** One request that a receiver got. */
export type Received = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body, once it is parsed. */
  readonly body: Record<string, unknown> & { readonly data?: Record<string, unknown> }
}

/** A server on loopback that answers webhooks as a test wants. */
export type Receiver = {
  readonly url: string
  readonly received: Received[]
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts one. Without `answer`, it takes everything. */
export function receiver(
  answer: (received: Received, n: number) => Response | Promise<Response> = () => new Response(),
): Receiver {
  const received: Received[] = []
  const server: Server<unknown> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const text = await request.text()
      const path = new URL(request.url).pathname
      const headers = Object.fromEntries(request.headers)
      const one = { method: request.method, path, headers, text, body: text === '' ? {} : JSON.parse(text) }
      received.push(one)
      return await answer(one, received.length)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/hook`,
    received,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** Adds a webhook of somebody, past the settings page, and gives its id and its secret. */
export async function webhookOf(
  service: Service,
  person: Person,
  url: string,
  what: Partial<NewWebhook> = {},
): Promise<{ id: number; secret: string }> {
  const secret = newWebhookSecret()
  const lists = Object.fromEntries(facetLists.map((list) => [list, []])) as unknown as FacetLists
  const added = await addWebhook(service.db, await userIdOf(service.db, person), {
    ...{ url, format: 'standard', secret, targets: [], ...lists, withdrawals: true },
    ...what,
  })
  if (added.outcome !== 'added') throw new Error(`No webhook: ${added.outcome}`)
  service.migrated()
  return { id: added.row.id, secret }
}

/** Verifies a message as its receiver does, by the library of Standard Webhooks; throws where it is not right. */
export function verified({ text, headers }: Received, secret: string): Received['body'] {
  return new Webhook(secret).verify(text, { ...headers }) as Received['body']
}
