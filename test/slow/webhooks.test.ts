import { afterAll, expect, test } from 'bun:test'
import { createPostgresDatabase } from '../support/database.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { inParallel } from '../support/parallel.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, type Process, startProcess } from '../support/process.ts'
import { receiver } from '../support/webhooks/receiver.ts'

const processes: Process[] = []
afterAll(() => {
  for (const { child } of processes) child.kill('SIGKILL')
})

const count = 10_000
/** After each kill, half a minute passes before the other process takes over. */
const kills = 2

test(`Of ${count} announcements, a receiver that fails some of its calls gets each, in order and with one id, though the two processes that send are killed in turn`, async () => {
  const { url, drop } = await createPostgresDatabase()
  const start = (WEBHOOKS: string) => {
    const started = startProcess({ DATABASE_URL: url, WEBHOOKS, RATE_LIMIT_PER_MINUTE: '0' })
    processes.push(started)
    return started
  }
  const senders = [start('any'), start('any')]
  const sender = doorOf(await (senders[0] as Process).url)
  await untilReady(sender)
  const ada = await signUpPoster(sender)
  // It fails each of these calls, half of them after it has taken the message. A try is repeated after five seconds.
  const [failing, untaken] = [500, 1_000]
  const taken: { id: number; message: string }[] = []
  await using hook = receiver(({ headers, body }, n) => {
    if (n % untaken !== 0) taken.push({ id: Number(body.data?.id), message: headers['webhook-id'] ?? '' })
    return n % failing === 0
      ? new Response(null, { status: 503, headers: { 'Retry-After': '0' } })
      : new Response()
  })
  expect((await ada.send('/settings/webhooks', { url: hook.url })).status).toBe(303)

  // A process that sends nothing takes the announcements.
  const announcer = doorOf(await start('off').url)
  await untilReady(announcer)
  const answers = await inParallel(Array.from({ length: count }).keys().toArray(), 16, async (n) => {
    const headers = { Authorization: `Bearer ${ada.token}` }
    const body = new URLSearchParams({ message: `Number ${n}` })
    const response = await announcer.fetch('/api', { method: 'POST', headers, body })
    return ((await response.json()) as { id: number }).id
  })
  const announced = answers.toSorted((a, b) => a - b)
  for (let n = 0; n < kills; n += 1) {
    const part = ((n + 1) * count) / (kills + 1)
    await eventually('a part has come', () => taken.length > part, 240)
    senders[n % 2]?.child.kill('SIGKILL')
    senders[n % 2] = start('any')
  }
  await eventually('the last one has come', () => taken.some(({ id }) => id === announced.at(-1)), 240)

  const messages = Map.groupBy(taken, ({ id }) => id)
  expect([...messages.keys()]).toEqual(announced)
  for (const same of messages.values()) expect(new Set(same.map(({ message }) => message)).size).toBe(1)
  await drop()
})
