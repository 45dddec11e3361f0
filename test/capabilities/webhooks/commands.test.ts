import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import {
  pauseWebhookCommand,
  resumeWebhookCommand,
  webhookFinding,
  webhooksCommand,
} from '../../../src/capabilities/webhooks/commands.ts'
import type { OperatedWebhook } from '../../../src/capabilities/webhooks/operation.ts'
import { listAllWebhooks } from '../../../src/capabilities/webhooks/operation.ts'
import { argumentsOf } from '../../../src/commands/command.ts'
import { commandsOn } from '../../commands/run-command.ts'
import { query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/markup.ts'
import { seriesOf } from '../../support/metrics.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { receiver, webhookOf } from '../../support/webhooks/receiver.ts'

const service = await useService({ WEBHOOKS: 'any', METRICS_PORT: '0' })
const run = commandsOn(service.db)

test('an operator lists webhooks, sees which fail, pauses one, and resumes it', async () => {
  let status = 500
  // It is not tried again before the operator has looked.
  await using hook = receiver(() => new Response(null, { status, headers: { 'Retry-After': '600' } }))
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, hook.url)
  const slack = { format: 'slack', secret: null } as const
  const { id: chat } = await webhookOf(
    service,
    ada,
    'https://hooks.slack.com/services/T0/B0/secretabcd',
    slack,
  )
  await query(service.db, sql`update webhooks set paused_at = now(), paused_because = 'x' where id = ${chat}`)
  await ada.announced({ message: 'One' })
  const rows = async () =>
    (await run(webhooksCommand))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/))
  await eventually('it has failed', async () => (await rows())[1]?.[3] === 'failing')
  expect(await rows()).toEqual([
    ['id', 'owner', 'format', 'state', 'waiting', 'address'],
    [String(id), ada.username, 'standard', 'failing', 'seconds', hook.url],
    [String(chat), ada.username, 'slack', 'paused', 'seconds', 'https://hooks.slack.com/…abcd'],
  ])
  const counted = async () => {
    const series = seriesOf(await service.metrics())
    return ['messages_total{outcome="sent"}', 'messages_total{outcome="failed"}'].map((name) =>
      series.get(`shipfeed_webhook_${name}`),
    )
  }
  expect(await counted()).toEqual([0, 1])
  expect(seriesOf(await service.metrics()).get('shipfeed_webhooks_waiting')).toBe(1)

  const whose = `Webhook ${id} of "${ada.username}" to ${hook.url} is paused`
  expect(await run(pauseWebhookCommand, String(id))).toStartWith(`${whose}. Its owner`)
  expect(await run(pauseWebhookCommand, String(id))).toBe(`${whose} already: the operator paused it.\n`)
  expect(seriesOf(await service.metrics()).get('shipfeed_webhooks_waiting')).toBe(0)
  status = 200
  expect(await run(resumeWebhookCommand, String(id))).toBe(
    `${whose.replace('is paused', 'goes on')} where it stopped.\n`,
  )
  await eventually('it has arrived', async () => (await rows())[1]?.[3] === 'ok')
  expect(await counted()).toEqual([1, 1])
  await expect(run(resumeWebhookCommand, String(id))).rejects.toThrow('is not paused')
  for (const command of [pauseWebhookCommand, resumeWebhookCommand]) {
    await expect(run(command, String(2 ** 40))).rejects.toThrow('there is no webhook')
    for (const words of [[], ['x'], ['1', '2'], ['-1']])
      expect(() => argumentsOf(command, words)).toThrow('give one webhook by its id')
  }
})

test('what the operator paused stays paused, whatever its owner does, until the operator resumes it', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { id } = await webhookOf(service, ada, hook.url)
  const at = `/settings/webhooks/${id}`
  const isPaused = async () =>
    textOf(await (await ada.get(at)).text(), 'main').includes('the operator paused it')
  await ada.send(`${at}/pause`, {})
  await expect(run(resumeWebhookCommand, String(id))).rejects.toThrow(
    'is paused, but not by you: you paused it',
  )
  await run(pauseWebhookCommand, String(id))
  for (const action of ['resume', 'skip', 'pause', 'test', 'delete', 'resume']) {
    const answer = await ada.send(`${at}/${action}`, {})
    expect([action, answer.status, await isPaused()]).toEqual([action, 403, true])
  }
  const forms = (await (await ada.get(at)).text()).match(/action="[^"]*"/g) ?? []
  expect(forms.filter((form) => /resume|skip|test|delete/.test(form))).toEqual([])
  const other = await ada.send('/settings/webhooks', { url: `${hook.url}/other` })
  expect([other.status, (await other.text()).includes('paused a webhook of yours')]).toEqual([422, true])
  expect((await ada.send('/settings/webhooks', { url: 'http://elsewhere.example/' })).status).toBe(303)
  await ada.announced({ message: 'One' })
  expect(hook.received).toEqual([])
  await run(resumeWebhookCommand, String(id))
  await eventually('it has arrived', () => hook.received.length === 1)
  expect((await ada.send(`${at}/delete`, {})).status).toBe(303)
})

test('a webhook is stuck if its event has waited and its try has been due for a minute, and a metric has the age of the event', async () => {
  const ada = await signUpPoster(service)
  const nobody = { ...service, migrated() {} }
  const { id } = await webhookOf(nobody, ada, 'https://example.com/hook')
  await query(service.db, sql`update webhooks set next_try_at = 'infinity' where id = ${id}`)
  const one = await ada.announced({ message: 'One' })
  const facts = async () => (await service.db.write(listAllWebhooks)).find((webhook) => webhook.id === id)
  const since = async (waited: number, due: number) => {
    await query(
      service.db,
      sql`update deployments set deployed_at = now() - make_interval(secs => ${waited}) where id = ${one}`,
    )
    // In a transaction, so that no process takes the webhook in between.
    const found = await service.db.write((queries) =>
      queries.transaction(async (transaction) => {
        const dueSince = sql`now() - make_interval(secs => ${due})`
        await transaction.execute(sql`update webhooks set next_try_at = ${dueSince} where id = ${id}`)
        const all = await listAllWebhooks(transaction)
        await transaction.execute(sql`update webhooks set next_try_at = 'infinity' where id = ${id}`)
        return all
      }),
    )
    return found.find((webhook) => webhook.id === id)?.isOverdue
  }
  expect(await since(70, 70)).toBeTrue()
  expect(await since(70, 50)).toBeFalse()
  expect(await since(50, 70)).toBeFalse()
  await query(service.db, sql`update webhooks set last_event = ${one} where id = ${id}`)
  await query(
    service.db,
    sql`update deployments set deployed_at = now() - interval '1 hour' where id = ${one}`,
  )
  const oldest = async () => seriesOf(await service.metrics()).get('shipfeed_webhooks_oldest_seconds') ?? 0
  expect(await oldest()).toBeWithin(3_500, 3_700)
  await query(service.db, sql`update webhooks set attempts = 1 where id = ${id}`)
  expect(await oldest()).toBe(0)
  expect(await facts()).toMatchObject({ attempts: 1, username: ada.username })
})

const webhook: OperatedWebhook = {
  ...{ id: 7, username: 'ada', url: 'https://example.com/', format: 'standard', pausedBecause: null },
  ...{ attempts: 0, waitingSeconds: null, isOverdue: false },
}

test.each([
  [[], 'any', true, '0 send, 0 are paused'],
  [[webhook], 'off', true, 'WEBHOOKS is off, and webhooks wait (1): set WEBHOOKS, or pause them'],
  [[{ ...webhook, pausedBecause: 'x' }], 'off', true, 'WEBHOOKS is off'],
  [
    [webhook, { ...webhook, id: 8, attempts: 2, waitingSeconds: 7_300 }],
    ...(['public', true, '2 send, 0 are paused; the receivers of 8 of ada (for 2 hours) fail'] as const),
  ],
  [
    [{ ...webhook, waitingSeconds: 70, isOverdue: true }],
    ...(['public', false, 'nothing is sent to 7 of ada (for 1 minute)'] as const),
  ],
  [
    Array.from({ length: 7 }, () => ({ ...webhook, waitingSeconds: 70, isOverdue: true })),
    ...(['public', false, 'and 2 more'] as const),
  ],
] as const)('check says what is stuck: %#', (webhooks, reach, isRight, says) => {
  expect(webhookFinding(webhooks, reach)).toMatchObject({ isRight, says: expect.stringContaining(says) })
})
