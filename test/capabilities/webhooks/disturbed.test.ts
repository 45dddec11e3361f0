import { afterEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { listWebhooks, resumeWebhook } from '../../../src/capabilities/webhooks/store.ts'
import { tables } from '../../../src/table-uses.ts'
import { openTestDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { eventually as holdsEventually } from '../../support/eventually.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { type Service, startService, useService } from '../../support/service.ts'
import { type Receiver, receiver, webhookOf } from '../../support/webhooks/receiver.ts'

const eventually = (what: string, holds: () => boolean | Promise<boolean>) => holdsEventually(what, holds, 15)

const service = await useService({ WEBHOOKS: 'any' })
const { db } = service
afterEach(() => query(db, sql`delete from webhooks`))

const messagesOf = ({ received }: Receiver) =>
  received.map(({ body }) => (body.type === 'deployment.announced' ? body.data?.message : body.data?.id))
const idsOf = ({ received }: Receiver) => received.map(({ headers }) => headers['webhook-id'] ?? '')

/** A receiver that answers the first call only once it is let go. */
function holding() {
  const over = Promise.withResolvers<Response>()
  const hook = receiver((_, n) => (n === 1 ? over.promise : new Response()))
  return Object.assign(hook, { letGo: () => over.resolve(new Response()) })
}

test('a deployment that is withdrawn while those before it are sent is not sent, but its withdrawal is', async () => {
  await using hook = holding()
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  await ada.announced({ message: 'One' })
  const secret = await ada.announced({ message: 'A secret' })
  await ada.announced({ message: 'Three' })
  await eventually('the first one is under way', () => hook.received.length === 1)
  await ada.send(`/${ada.username}/${secret}/delete`, {})
  hook.letGo()
  await eventually('all have arrived', () => hook.received.length === 3)
  expect(messagesOf(hook)).toEqual(['One', 'Three', secret])
})

/** Waits until this many messages have arrived and their progress is saved: a sender that loses it waits for 30 s. */
const settled = (on: Service, { received }: Receiver, count: number) =>
  eventually('all have arrived', async () => {
    if (received.length !== count) return false
    const [claimed] = await query(on.db, sql`select id from webhooks where claim is not null`)
    return claimed === undefined
  })

/** Takes the newest announcements of a user and their ids back, as a failover to an asynchronous standby does. */
async function setBack({ username }: Poster, count: number): Promise<void> {
  await query(
    db,
    sql`
      with gone as (
        delete from deployments where id in (
          select d.id from deployments d join users u on u.id = d.user_id where username = ${username}
          order by d.id desc limit ${count}
        ) returning id
      )
      select setval('deployments_id_seq', (select min(id) - 1 from gone))`,
  )
}

test('after ids went backwards, those that are given again are sent, and with other message ids', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  const announce = async (word: string, count: number) => {
    const before = hook.received.length
    for (let n = 0; n < count; n += 1) await ada.announced({ message: `${word} ${n}` })
    await settled(service, hook, before + count)
  }
  await announce('Sent', 8)
  await setBack(ada, 5)
  await announce('Again', 3)
  await announce('Later', 3)
  expect(messagesOf(hook).slice(8)).toEqual(
    ['Again', 'Later'].flatMap((word) => [0, 1, 2].map((n) => `${word} ${n}`)),
  )
  expect(new Set(idsOf(hook)).size).toBe(14)
})

test('a message that was under way when ids went backwards does not stand for another one with its id', async () => {
  await using hook = holding()
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  for (let n = 0; n < 3; n += 1) await ada.announced({ message: `Lost ${n}` })
  await eventually('the first one is under way', () => hook.received.length === 1)
  await setBack(ada, 3)
  for (let n = 0; n < 5; n += 1) await ada.announced({ message: `Again ${n}` })
  hook.letGo()
  // It sends nothing more by its claim, which is then taken over.
  await Bun.sleep(300)
  await query(db, sql`update webhooks set next_try_at = now()`)
  service.migrated()
  await eventually('all have arrived', () => messagesOf(hook).includes('Again 4'))
  expect(messagesOf(hook)).toEqual(['Lost 0', ...[0, 1, 2, 3, 4].map((n) => `Again ${n}`)])
})

test('after a restore, no message id of before stands for another event', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, hook.url)
  const announce = async (on: Service, word: string) => {
    const before = hook.received.length
    for (let n = 0; n < 3; n += 1) await announceOn(on, ada, `${word} ${n}`)
    await settled(on, hook, before + 3)
  }
  await announce(service, 'Before')
  const dump = await dumpOf(db)
  await announce(service, 'Lost')
  await using there = await opened(openTestDatabase())
  await restoreDump(there.db, tables, streamOf(dump))
  await query(db, sql`update webhooks set paused_at = now()`)
  await using restored = await startService({ WEBHOOKS: 'any' }, there.db)
  await resumeWebhook(there.db, { userId: await userIdOf(there.db, ada), id }, 'where_it_stopped')
  restored.migrated()
  await announce(restored, 'After')
  const eventIds = hook.received.map(({ body }) => body.data?.id)
  expect(new Set(eventIds).size).toBeLessThan(9)
  expect(new Set(idsOf(hook)).size).toBe(9)
})

async function announceOn(on: Service, { token }: Poster, message: string): Promise<void> {
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await on.fetch('/api', { method: 'POST', headers, body: new URLSearchParams({ message }) })
  expect(answer.status).toBe(201)
}

test('a clock that was put back two hours stops no webhook, and a receiver that asks for two hours gets them', async () => {
  let status = 200
  // It is not tried again by itself before the test is over.
  await using hook = receiver(() => new Response(null, { status, headers: { 'Retry-After': '600' } }))
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  const twoHours = sql`interval '2 hours'`
  const [webhook] = await listWebhooks(db, await userIdOf(db, ada))
  const state = async () => (await listWebhooks(db, await userIdOf(db, ada)))[0]
  await ada.announced({ message: 'One' })
  await eventually(
    'it has arrived',
    async () => hook.received.length === 1 && (await state())?.claim === null,
  )

  await query(db, sql`update webhooks set next_try_at = now() + ${twoHours}`)
  status = 500
  await ada.announced({ message: 'Two' })
  service.migrated()
  await eventually('it has failed', async () => (await state())?.attempts === 1)

  await query(db, sql`update webhooks set next_try_at = now() + ${twoHours}`)
  service.migrated()
  await Bun.sleep(300)
  expect((await state())?.attempts).toBe(1)
  await query(
    db,
    sql`update deliveries set sent_at = sent_at + ${twoHours} where webhook_id = ${webhook?.id}`,
  )
  service.migrated()
  await eventually('it is tried', async () => (await state())?.attempts === 2)
})

test('sixty webhooks of three accounts whose receivers hang do not hold up a new one', async () => {
  const over = Promise.withResolvers<Response>()
  await using hanging = receiver(() => over.promise)
  await using hook = receiver()
  const accounts = await Promise.all([1, 2, 3].map(() => signUpPoster(service)))
  const ada = await signUpPoster(service)
  for (const account of accounts)
    for (let n = 0; n < 20; n += 1) await webhookOf(service, account, hanging.url)
  await webhookOf(service, ada, hook.url)
  // From here on it is quick: a try ends after 10 s, and others then have its place.
  await Promise.all(accounts.map((account) => account.announced({ message: 'To all' })))
  await eventually('they are under way', () => hanging.received.length === 9)
  await ada.announced({ message: 'One' })
  await eventually('it has arrived', () => hook.received.length === 1)
  expect(hanging.received.length).toBe(9)
  over.resolve(new Response())
})
