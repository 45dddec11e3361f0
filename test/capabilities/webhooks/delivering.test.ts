import { expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { restoreDump } from '../../../src/capabilities/backups/restore.ts'
import { retryDelaysMs } from '../../../src/capabilities/webhooks/delivery/retries.ts'
import { listDeliveries, listWebhooks } from '../../../src/capabilities/webhooks/store.ts'
import { tables } from '../../../src/table-uses.ts'
import { expectError } from '../../support/api.ts'
import { openTestDatabase, query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { dumpOf, opened, streamOf } from '../../support/dump/dumps.ts'
import { eventually as holdsEventually } from '../../support/eventually.ts'
import { type Person, password, signIn, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'
import { receiver, verified, webhookOf } from '../../support/webhooks/receiver.ts'

const eventually = (what: string, holds: () => boolean | Promise<boolean>) => holdsEventually(what, holds, 15)

const service = await useService({ WEBHOOKS: 'any' })

async function onlyWebhook(person: Person) {
  const [webhook] = await listWebhooks(service.db, await userIdOf(service.db, person))
  if (webhook === undefined) throw new Error('There is no webhook')
  return webhook
}

type Listed = { readonly deployments: readonly unknown[] }

/** Makes the next try of all webhooks due, instead of waiting for it. */
async function waitNoLonger(): Promise<void> {
  await query(
    service.db,
    sql`update webhooks set next_try_at = now() - interval '1 second' where claim is null`,
  )
}

/** Waits until a person's webhook has failed that often, and tells how often it has, and how long it then waits. */
async function failedTries({ username }: Person, atLeast: number) {
  // In one reading: on a slow machine, the next try may be over, too.
  const reading = sql`
    select attempts, extract(epoch from next_try_at - sent_at)::float8 * 1000 as "waitMs"
    from webhooks w join users u on u.id = user_id join deliveries d on webhook_id = w.id
    where username = ${username} and claim is null and attempts >= ${atLeast} order by d.id desc limit 1`
  let last: { readonly attempts: number; readonly waitMs: number } | undefined
  await eventually('it has failed', async () => {
    ;[last] = await query<{ attempts: number; waitMs: number }>(service.db, reading)
    return last !== undefined
  })
  return last
}

test('what a user announces and withdraws arrives, signed and in order', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const other = await signUpPoster(service)
  const { id, secret } = await webhookOf(service, ada, hook.url)
  const first = await ada.announced({ message: 'Fix: one', environment: 'production', version: 'v1' })
  await other.announced({ message: 'Of somebody else' })
  const second = await ada.announced({ message: 'Two' })
  // Of one that is withdrawn before it is sent, only the withdrawal is sent.
  await eventually('both have arrived', () => hook.received.length === 2)
  await ada.send(`/${ada.username}/${second}/delete`, {})
  await eventually('all have arrived', () => hook.received.length === 3)
  const bodies = hook.received.map((one) => verified(one, secret))
  expect(bodies.map(({ type }) => type)).toEqual([
    'deployment.announced',
    'deployment.announced',
    'deployment.withdrawn',
  ])
  const list = (await (await service.fetch(`/api/deployments?user=${ada.username}`)).json()) as Listed
  expect<unknown>(bodies[0]?.data).toEqual(list.deployments[0])
  expect(bodies[2]?.data).toEqual({ id: second, username: ada.username })
  expect(hook.received[0]?.headers).toMatchObject({
    'webhook-id': expect.stringMatching(new RegExp(`^msg_${id}_${first}_[0-9a-z]{8}$`)),
    'content-type': 'application/json',
    'shipfeed-hop': '1',
  })
  await eventually('the last one is written down', async () => (await onlyWebhook(ada)).claim === null)
  const deliveries = await listDeliveries(service.db, { userId: await userIdOf(service.db, ada), id })
  expect(deliveries.map(({ status, isTest, body }) => ({ status, isTest, body }))).toEqual(
    hook.received.toReversed().map(({ text }) => ({ status: 200, isTest: false, body: text })),
  )
})

test('a deployment that the filter leaves out is not sent, and does not hold up the next one', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url, {
    targets: ['github.com/ada/engine'],
    environments: ['production'],
    categories: ['bug_fix'],
    withdrawals: false,
  })
  const wanted = {
    message: 'Fix it',
    url: 'https://github.com/Ada/engine/pull/1',
    environment: 'Production',
  }
  const withdrawn = await ada.announced({ ...wanted, environment: 'staging' })
  await ada.send(`/${ada.username}/${withdrawn}/delete`, {})
  for (const other of [
    { url: 'https://github.com/ada/other' },
    { url: null },
    { environment: undefined },
    { message: 'Add it' },
  ]) {
    await ada.announced({ ...wanted, ...other })
  }
  const id = await ada.announced(wanted)
  const left = await ada.announced({ message: 'Left out' })
  await eventually('it has arrived', () => hook.received.length > 0)
  await eventually('it has gone past the last one', async () => (await onlyWebhook(ada)).position >= left)
  expect(hook.received.map(({ body }) => body.data?.id)).toEqual([id])
})

test('a message that fails is tried again with the same id, and the next one waits for it', async () => {
  await using hook = receiver((_, n) => new Response(null, { status: n < 3 ? 500 : 204 }))
  const ada = await signUpPoster(service)
  const { secret } = await webhookOf(service, ada, hook.url)
  const ids = [await ada.announced({ message: 'One' }), await ada.announced({ message: 'Two' })]
  for (const failures of [1, 2]) {
    const { attempts = 0, waitMs } = (await failedTries(ada, failures)) ?? {}
    expect(waitMs).toBe(retryDelaysMs[attempts - 1])
    await waitNoLonger()
  }
  await eventually('both have arrived', () => hook.received.length === 4)
  expect(hook.received.map((one) => verified(one, secret).data?.id)).toEqual([ids[0], ids[0], ids[0], ids[1]])
  expect(new Set(hook.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2)
})

test('Retry-After is obeyed, 410 pauses at once, and so does the last try that fails', async () => {
  let answer = () => new Response(null, { status: 429, headers: { 'Retry-After': '7200' } })
  await using hook = receiver(() => answer())
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  await ada.announced({ message: 'One' })
  await eventually('it was refused', async () => (await onlyWebhook(ada)).attempts === 1)
  const inMs = (await onlyWebhook(ada)).nextTryAt.getTime() - Date.now()
  expect(Math.abs(inMs - 7_200_000)).toBeLessThan(600_000)
  answer = () => new Response(null, { status: 410 })
  await waitNoLonger()
  await eventually('it is paused', async () => (await onlyWebhook(ada)).pausedAt !== null)
  expect((await onlyWebhook(ada)).pausedBecause).toContain('410')

  answer = () => new Response(null, { status: 302, headers: { Location: hook.url } })
  await query(
    service.db,
    sql`update webhooks set paused_at = null, attempts = 7, next_try_at = now() where url = ${hook.url}`,
  )
  await eventually('it is paused again', async () => (await onlyWebhook(ada)).pausedAt !== null)
  expect((await onlyWebhook(ada)).pausedBecause).toBe('8 tries in a row failed; the last one: status 302')
  expect(hook.received.length).toBe(3)
})

test('an address that never answers delays no other webhook of the same user', async () => {
  const over = Promise.withResolvers<Response>()
  await using slow = receiver(() => over.promise)
  await using hook = receiver()
  const ada = await signUpPoster(service)
  for (let n = 0; n < 10; n += 1) await webhookOf(service, ada, slow.url)
  await webhookOf(service, ada, hook.url)
  // A webhook that has been proven has places that new and failing ones never take.
  await query(service.db, sql`update webhooks set is_proven = true where url = ${hook.url}`)
  await ada.announced({ message: 'One' })
  await eventually('the slow ones have theirs', () => slow.received.length === 3)
  await ada.announced({ message: 'Two' })
  await eventually('both have arrived', () => hook.received.length === 2)
  over.resolve(new Response())
})

test('what waits when a chat message is due is joined into it', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service, { name: 'Ada <!channel>' })
  await webhookOf(service, ada, hook.url, { format: 'slack', secret: null })
  const due = (at: SQL) =>
    query(service.db, sql`update webhooks set next_try_at = ${at} where url = ${hook.url}`)
  // It waits until all three are there, however slow they are.
  await due(sql`now() + interval '30 seconds'`)
  for (const message of ['One', 'Two @here', 'Three']) await ada.announced({ message, version: 'v2' })
  await due(sql`now()`)
  await eventually('it has arrived', () => hook.received.length > 0)
  const text = String(hook.received[0]?.body.text)
  expect(text.split('\n').length).toBe(3)
  expect(text).not.toMatch(/<!|@h/)
  expect(text).toContain(`by Ada &lt;\u200b!channel&gt;: Three`)
})

test('a chat message waits two seconds for others to be joined into it', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, hook.url, { format: 'slack', secret: null })
  const announced = await ada.announced({ message: 'One' })
  const reading = sql`
    select sent_at - deployed_at > interval '2 seconds' as has_waited from deliveries, deployments
    where webhook_id = ${id} and deployments.id = ${announced}`
  await eventually('it is sent', async () => (await query(service.db, reading)).length === 1)
  expect(await query<object>(service.db, reading)).toEqual([{ has_waited: true }])
})

test('an announcement through one webhook counts its hops, and one through two is refused', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  await ada.announced({ message: 'Through one' }, { 'Shipfeed-Hop': '1' })
  await eventually('it has arrived', () => hook.received.length === 1)
  expect(hook.received[0]?.headers['shipfeed-hop']).toBe('2')
  for (const hop of ['2', '9', '10', '-1', 'many']) {
    const refused = await ada.announce({ message: 'Through two' }, { 'Shipfeed-Hop': hop })
    await expectError(refused, 400, 'bad_request')
  }
})

test('a restored webhook is paused, and sends on from where it stopped once its owner lets it', async () => {
  let status = 500
  // It is not tried again before the dump is restored, however long that takes.
  await using hook = receiver(() => new Response(null, { status, headers: { 'Retry-After': '600' } }))
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, hook.url)
  await query(
    service.db,
    sql`update webhooks set paused_at = now(), paused_because = 'x' where url <> ${hook.url}`,
  )
  const first = await ada.announced({ message: 'Before the dump' })
  await eventually('it has failed', async () => (await onlyWebhook(ada)).attempts === 1)
  await using there = await opened(openTestDatabase())
  await restoreDump(there.db, tables, streamOf(await dumpOf(service.db)))
  await query(
    service.db,
    sql`update webhooks set paused_at = now(), paused_because = 'The service of the dump is off'`,
  )
  await using restored = await startService({ WEBHOOKS: 'any' }, there.db)
  const restoredAda = { ...ada, ...(await signIn(restored, ada)) }
  status = 200
  const page = async () => await (await restoredAda.get(`/settings/webhooks/${id}`)).text()
  expect(await page()).toContain('Paused: it was restored from a backup')
  expect(await page()).toContain('status 500')
  restored.migrated()
  await Bun.sleep(300)
  expect(hook.received.length).toBe(1)
  await restoredAda.send(`/settings/webhooks/${id}/resume`, {})
  await eventually('it has arrived', () => hook.received.length === 2)
  const [tried, ...again] = hook.received.map(({ headers }) => headers['webhook-id'])
  expect(tried).toStartWith(`msg_${id}_${first}_`)
  expect(again).toEqual([tried])
})

test('deleting the account ends its webhooks, and nothing more is sent', async () => {
  // It is not tried again before the account is deleted, however long that takes.
  await using hook = receiver(() => new Response(null, { status: 500, headers: { 'Retry-After': '600' } }))
  const ada = await signUpPoster(service)
  await webhookOf(service, ada, hook.url)
  const userId = await userIdOf(service.db, ada)
  await ada.announced({ message: 'One' })
  await eventually('it has failed', async () => (await onlyWebhook(ada)).attempts === 1)
  await ada.send('/settings/delete', { username: ada.username, password })
  expect(await listWebhooks(service.db, userId)).toEqual([])
  await waitNoLonger()
  service.migrated()
  await Bun.sleep(300)
  expect(hook.received.length).toBe(1)
})

test('without WEBHOOKS nothing is sent', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  await using off = await startService({ WEBHOOKS: 'off' })
  expect((await off.fetch('/settings/webhooks')).status).toBe(404)
  await using inner = await startService({ WEBHOOKS: 'public' })
  await webhookOf(inner, ada, hook.url)
  await query(service.db, sql`update webhooks set paused_at = now() where url <> ${hook.url}`)
  expect(hook.received).toEqual([])
})
