import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { keepDelivery } from '../../../src/capabilities/webhooks/delivery/store.ts'
import { query } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { webhookOf } from '../../support/webhooks/receiver.ts'

const service = await useService({ WEBHOOKS: 'any' })

test('the last 50 deliveries of each webhook are kept, and no more', async () => {
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, 'http://127.0.0.1:9/hook')
  const other = await webhookOf(service, ada, 'http://127.0.0.1:9/other')
  const sent = { events: 1, body: '{}', status: 200, error: null, tookMs: 1, isTest: false }
  await keepDelivery(service.db, other.id, { ...sent, messageId: 'of another webhook' })
  for (let n = 1; n <= 52; n += 1) await keepDelivery(service.db, id, { ...sent, messageId: `message ${n}` })
  const kept = await query<{ message: string }>(
    service.db,
    sql`select message_id as message from deliveries where webhook_id in (${id}, ${other.id}) order by id`,
  )
  expect(kept.map(({ message }) => message)).toEqual([
    'of another webhook',
    ...Array.from({ length: 50 }, (_, n) => `message ${n + 3}`),
  ])
  const page = await (await ada.get(`/settings/webhooks/${id}`)).text()
  expect(page.match(/\/again"/g)).toHaveLength(50)
})
