import { expect, test } from 'bun:test'
import { eventually } from '../../support/eventually.ts'
import { reasonsBeside, valueIn } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { cookieOf, type Person, signUp, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'
import { receiver, verified } from '../../support/webhooks/receiver.ts'

const service = await useService({ WEBHOOKS: 'any' })

/** Adds a webhook by the form, and gives its page as it is shown once. */
async function added(person: Person, fields: Record<string, string>) {
  const answer = await person.send('/settings/webhooks', fields)
  expect(answer.status).toBe(303)
  const at = answer.headers.get('location') ?? ''
  const cookie = answer.headers.getSetCookie().length > 0 ? `; ${cookieOf(answer)}` : ''
  const page = await (await person.get(at, { Cookie: person.cookie + cookie })).text()
  const [secret = ''] = page.match(/whsec_[A-Za-z0-9+/=]{44}/) ?? []
  return { at, page, secret }
}

async function mainOf(person: Person, path: string): Promise<string> {
  return textOf(await (await person.get(path)).text(), 'main')
}

test('a webhook is added with its secret shown once, tested, and then sends', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { at, secret } = await added(ada, { url: hook.url, withdrawals: 'on' })
  expect(await mainOf(ada, at)).not.toContain('whsec_')
  const sent = await ada.send(`${at}/test`, {})
  expect(verified(hook.received[0] as never, secret)).toMatchObject({
    type: 'deployment.announced',
    test: true,
  })
  expect(await mainOf(ada, sent.headers.get('location') ?? '')).toMatch(/Sent: status 200, after \d+ ms\./)
  const id = await ada.announced({ message: 'One' })
  await eventually('it has arrived', () => hook.received.length === 2)
  const real = verified(hook.received[1] as never, secret)
  expect([real.data?.id, 'test' in real]).toEqual([id, false])

  await eventually('it is listed', async () => (await mainOf(ada, at)).includes('1 event'))
  const page = await (await ada.get(at)).text()
  const [again = ''] = page.match(/\/settings\/webhooks\/\d+\/deliveries\/\d+\/again/) ?? []
  await ada.send(again, {})
  expect(hook.received[2]).toMatchObject({ text: hook.received[1]?.text ?? '' })
  expect(hook.received[2]?.headers['webhook-id']).toBe(hook.received[1]?.headers['webhook-id'])
})

test('those of one chat are told apart by what they send, and a deleted one is confirmed', async () => {
  const ada = await signUp(service)
  const url = 'https://hooks.slack.com/services/T0/B0/'
  await added(ada, { url: `${url}1`, targets: 'github.com/ada/engine', environments: 'Production' })
  const { at } = await added(ada, { url: `${url}2`, feature: 'on', bug_fix: 'on' })
  const list = await mainOf(ada, '/settings/webhooks')
  expect(list).toContain(' · only github.com/ada/engine · only to production')
  expect(list).toContain(' · only feature, bug fix')
  const deleted = await ada.send(`${at}/delete`, {})
  expect(await mainOf(ada, deleted.headers.get('location') ?? '')).toContain('The webhook is deleted.')
})

test('by hand, a user sends ten messages a minute, and thirty reach a host, however many at once', async () => {
  await using hook = receiver()
  // No other test sends to this name.
  const url = hook.url.replace('127.0.0.1', 'localhost')
  const people = await Promise.all(Array.from({ length: 4 }, () => signUp(service)))
  const pages = await Promise.all(people.map(async (person) => (await added(person, { url })).at))
  const sendAll = async (n: number, times: number, at = pages[n]) => {
    const sent = Array.from({ length: times }, () => people[n]?.send(`${at}/test`, {}))
    return (await Promise.all(sent)).map((answer) => answer?.status).toSorted()
  }
  expect(await sendAll(0, 10)).toEqual(Array(10).fill(303))
  expect(await sendAll(0, 2)).toEqual([429, 429])
  expect([...(await sendAll(1, 10)), ...(await sendAll(2, 10))]).toEqual(Array(20).fill(303))
  const page = await (await people[0]?.get(pages[0] ?? ''))?.text()
  const [again = ''] = page?.match(/\/settings\/webhooks\/\d+\/deliveries\/\d+\/again/) ?? []
  expect((await people[0]?.send(again, {}))?.status).toBe(429)
  const ofHost = await people[3]?.send(`${pages[3]}/test`, {})
  expect([ofHost?.status, Number(ofHost?.headers.get('retry-after')) <= 60]).toEqual([429, true])
  expect(hook.received.length).toBe(30)
  // What was refused did not count for the user.
  const { at } = await added(people[3] as Person, { url: hook.url })
  expect(await sendAll(3, 12, at)).toEqual([...Array(10).fill(303), 429, 429])
})

test('it is paused, goes on where it stopped or from here, and is deleted', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { at } = await added(ada, { url: hook.url })
  await ada.send(`${at}/pause`, {})
  expect(await mainOf(ada, at)).toContain('Paused: you paused it')
  const first = await ada.announced({ message: 'While it was paused' })
  await ada.send(`${at}/resume`, {})
  await eventually('it has arrived', () => hook.received.length === 1)
  await ada.send(`${at}/pause`, {})
  await ada.announced({ message: 'Passed over' })
  await ada.send(`${at}/skip`, {})
  const last = await ada.announced({ message: 'After it' })
  await eventually('it has arrived', () => hook.received.length === 2)
  expect(hook.received.map(({ body }) => body.data?.id)).toEqual([first, last])
  await ada.send(`${at}/delete`, {})
  expect((await ada.get(at)).status).toBe(404)
  expect(await mainOf(ada, '/settings/webhooks')).toContain('No webhooks yet')
})

test('after a roll, the old and the new secret both sign', async () => {
  await using hook = receiver()
  const ada = await signUpPoster(service)
  const { at, secret } = await added(ada, { url: hook.url })
  const rolled = await ada.send(`${at}/roll`, {})
  const page = await ada.get(at, { Cookie: `${ada.cookie}; ${cookieOf(rolled)}` })
  const [fresh = ''] = (await page.text()).match(/whsec_[A-Za-z0-9+/=]{44}/) ?? []
  expect(fresh).not.toBe(secret)
  await ada.announced({ message: 'One' })
  await eventually('it has arrived', () => hook.received.length === 1)
  for (const one of [secret, fresh])
    expect(verified(hook.received[0] as never, one).type).toBe('deployment.announced')
})

test('the filter of a form is kept, and a wrong one is refused next to its field', async () => {
  const ada = await signUp(service)
  const fields = {
    url: 'https://example.com/hook',
    targets: 'https://GitHub.com/Ada/engine/pull/1, b.example, http://intranet/a',
    environments: 'Production',
    bug_fix: 'on',
  }
  const { at, page } = await added(ada, fields)
  expect(valueIn(page, 'targets')).toBe('github.com/ada/engine, b.example, http://intranet/a')
  expect(valueIn(page, 'environments')).toBe('production')
  const refused = await ada.send(`${at}/filter`, { targets: 'not a target at all!', environments: 'a, b, ü' })
  expect(refused.status).toBe(422)
  expect(reasonsBeside(await refused.text(), 'environments')).toContain('“ü”')
  expect(valueIn(await (await ada.get(at)).text(), 'environments')).toBe('production')
})

test('an address that is a secret shows its host and its last four characters', async () => {
  const ada = await signUp(service)
  await added(ada, { url: 'https://hooks.slack.com/services/T000/B000/secretabcd' })
  const list = await (await ada.get('/settings/webhooks')).text()
  expect(textOf(list, 'main')).toContain('https://hooks.slack.com/…abcd · Slack')
  expect(list).not.toContain('secretabcd')
})

test('addresses that lead nowhere public, missing tokens and more than 20 are refused', async () => {
  await using inner = await startService({ WEBHOOKS: 'public' })
  const ada = await signUp(inner)
  for (const url of ['https://127.0.0.1/', 'http://example.com/', 'https://ada@example.com/', '']) {
    const refused = await ada.send('/settings/webhooks', { url })
    expect(refused.status).toBe(422)
    expect(reasonsBeside(await refused.text(), 'url')).not.toBe('')
  }
  const gotify = await ada.send('/settings/webhooks', { url: 'https://gotify.example/message' })
  expect(reasonsBeside(await gotify.text(), 'token')).toContain('needs a token')
  for (let n = 0; n < 20; n += 1) await added(ada, { url: 'https://example.com/hook' })
  const full = await ada.send('/settings/webhooks', { url: 'https://example.com/hook' })
  expect(reasonsBeside(await full.text(), 'url')).toContain('the limit')
})

test('nobody sees or changes the webhook of somebody else, and without WEBHOOKS there is no page', async () => {
  const [ada, grace] = [await signUp(service), await signUp(service)]
  const { at } = await added(ada, { url: 'https://example.com/hook' })
  expect((await grace.get(at)).status).toBe(404)
  for (const what of ['pause', 'resume', 'skip', 'roll', 'delete', 'test', 'filter', 'deliveries/1/again']) {
    expect([what, (await grace.send(`${at}/${what}`, {})).status]).toEqual([what, 404])
  }
  expect((await ada.get(at)).status).toBe(200)
  await using off = await startService({ WEBHOOKS: 'off' })
  const linus = await signUp(off)
  expect((await linus.get('/settings/webhooks')).status).toBe(404)
  expect(await (await linus.get('/settings')).text()).not.toContain('/settings/webhooks')
})
