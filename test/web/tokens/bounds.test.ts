import { describe, expect, test } from 'bun:test'
import { addImport, expectUnauthorized, form, json, post, postImport, release } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/markup.ts'
import { addToken, signUp, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()

const bearing = (token: string) => ({ Authorization: `Bearer ${token}` })

async function refusalOf(response: Response): Promise<string> {
  const { error, message } = (await response.json()) as { error: string; message: string }
  expect([response.status, error]).toEqual([403, 'forbidden'])
  return message
}

const withdraw = (id: number, token: string) =>
  service.fetch(`/api/deployments/${id}`, { method: 'DELETE', headers: bearing(token) })
const removeImported = (token: string) =>
  service.fetch('/api/history', { method: 'DELETE', headers: bearing(token) })

const engine = 'https://github.com/ada/engine/pull/1'
const notes = 'https://github.com/ada/notes/pull/1'

test('each right allows one kind of call, and a refusal says what the token may', async () => {
  const ada = await signUpPoster(service)
  const of = Object.fromEntries(
    await Promise.all(
      ['announce', 'history', 'withdraw', 'read'].map(async (right) => {
        const fields = { name: right, announce: '', [right]: 'on' }
        return [right, (await addToken(ada, fields)).token] as const
      }),
    ),
  ) as Record<'announce' | 'history' | 'withdraw' | 'read', string>
  const id = await ada.announced({ message: 'Announced' })
  const calls = {
    announce: (token: string) => post(service, token, form({ message: 'm' })),
    history: (token: string) => postImport(service, { token }, []),
    withdraw: (token: string) => withdraw(id, token),
  }
  const words = {
    announce: 'announce',
    history: 'send history',
    withdraw: 'withdraw',
    read: 'read',
  }
  for (const [right, call] of Object.entries(calls)) {
    for (const other of ['announce', 'history', 'withdraw', 'read'] as const) {
      if (other === right) continue
      expect(await refusalOf(await call(of[other]))).toBe(
        `This token (${other}) may only ${words[other]}. Use a token that may ${words[right as 'announce']}.`,
      )
    }
  }
  expect(await refusalOf(await removeImported(of.announce))).toContain('may only announce.')
  await eventually('its owner is told of refused history', async () =>
    textOf(await (await ada.get('/settings')).text(), '#refusals').includes('from history · token “read”'),
  )
  expect((await calls.announce(of.announce)).status).toBe(201)
  expect((await calls.history(of.history)).status).toBe(200)
  expect((await calls.withdraw(of.withdraw)).status).toBe(204)
  expect((await removeImported(of.history)).status).toBe(204)
})

describe('a bound token', () => {
  test('announces its projects and environments, and POST /api/check says the same of every call', async () => {
    const ada = await signUp(service)
    const bounds = [
      { targets: 'github.com/ada/engine, ada.dev', environments: '' },
      { targets: '', environments: 'production, eu/Staging' },
      { targets: 'github.com', environments: 'production' },
    ] as const
    const urls = [
      ...['', engine, notes, 'https://www.GitHub.com:443/Ada/Engine.git', 'https://github.com/ada'],
      ...['https://ci.ada.dev/1', 'https://evil-ada.dev/', 'https://github.com.evil.example/ada/engine'],
    ]
    const environments = ['', 'production', 'PRODUCTION', 'eu/staging', 'production-2']
    const isWithin = [
      (url: string) => [engine, urls[3], urls[5]].includes(url),
      (_: string, environment: string) => environments.slice(1, 4).includes(environment),
      (url: string, environment: string) =>
        urls.slice(1, 5).includes(url) && environments.slice(1, 3).includes(environment),
    ]
    for (const [n, bound] of bounds.entries()) {
      const { token } = await addToken(ada, { name: `t${n}`, ...bound })
      const calls = urls.flatMap((url) => environments.map((environment) => ({ url, environment })))
      // All at once, so that they are recorded together.
      const answers = await Promise.all(
        calls.map((call) => post(service, token, form({ message: 'm', ...call }))),
      )
      for (const [i, { url, environment }] of calls.entries()) {
        const expected = isWithin[n]?.(url, environment) ? 201 : 403
        expect([url, environment, answers[i]?.status]).toEqual([url, environment, expected])
        const checked = await service.fetch('/api/check', {
          method: 'POST',
          headers: { ...bearing(token), 'Content-Type': 'application/json' },
          body: JSON.stringify({ message: 'm', url, environment }),
        })
        expect([url, environment, checked.status]).toEqual([url, environment, expected === 201 ? 200 : 403])
        if (expected === 403) expect(await checked.text()).toBe((await answers[i]?.text()) ?? '')
      }
    }
  })

  test('is told what it may, and its owner is told of the call', async () => {
    const ada = await signUp(service)
    const targets = 'github.com/ada/engine, a.example, b.example, c.example, d.example, e.example, f.example'
    const { token } = await addToken(ada, { name: 'engine', withdraw: 'on', targets, environments: 'qa' })
    const allowed =
      'This token (engine) may announce and withdraw only for github.com/ada/engine or a.example or b.example or c.example or d.example or 2 more, to qa.'
    const call = (fields: Record<string, string>) =>
      post(service, token, json({ message: 'm', ...fields }), { 'Idempotency-Key': 'ada/notes:7:deploy' })
    expect(await refusalOf(await call({ url: notes }))).toBe(`${allowed} Send a link to one of these.`)
    expect(await refusalOf(await call({}))).toBe(`${allowed} Send a link to one of these.`)
    expect(await refusalOf(await call({ url: engine }))).toBe(`${allowed} Send this environment.`)
    let panel = ''
    await eventually('its owner is told', async () => {
      panel = textOf(await (await ada.get('/settings')).text(), '#refusals')
      return panel.includes('Send this environment.')
    })
    expect(panel).toContain('403 This token (engine) may announce')
    expect(panel).toContain('from ada/notes:7:deploy · token “engine”')
    // A retry with the right fields is not taken for another announcement.
    expect((await call({ url: engine, environment: 'qa' })).status).toBe(201)
    expect((await call({ url: notes, environment: 'qa' })).status).toBe(403)
  })

  test('is told how to name a project, and that a link beside a name does not count', async () => {
    const ada = await signUp(service)
    const refused = async (targets: string, fields: Record<string, string>) => {
      const { token } = await addToken(ada, { name: `for ${targets}`, targets })
      return await refusalOf(await post(service, token, json({ message: 'm', ...fields })))
    }
    expect(await refused('-/engine', { url: engine })).toEndWith('for -/engine. Send "project": "engine".')
    expect(await refused('github.com/ada', { url: engine, project: 'engine' })).toEndWith(
      'Send a link to it without "project".',
    )
    expect(await refused('a.example, -/shop/pay', { url: engine, project: 'shop' })).toEndWith(
      'Send a link to one of these without "project", or "project": "shop/pay".',
    )
  })

  test('withdraws nothing elsewhere', async () => {
    const ada = await signUpPoster(service)
    const { token } = await addToken(ada, {
      ...{ name: 'engine', announce: '', withdraw: 'on' },
      ...{ targets: 'github.com/ada/engine', environments: 'qa' },
    })
    const within = await ada.announced({ message: 'm', url: engine, environment: 'QA' })
    const others = [{ url: notes, environment: 'qa' }, { environment: 'qa' }, { url: engine }]
    for (const fields of others) {
      const id = await ada.announced({ message: 'm', ...fields })
      expect(await refusalOf(await withdraw(id, token))).toEndWith(
        'This deployment is outside of these bounds.',
      )
      expect((await service.fetch(`/api/deployments/${id}`)).status).toBe(200)
    }
    expect((await withdraw(within, token)).status).toBe(204)
  })

  test('sends no history elsewhere, and removes none', async () => {
    const ada = await signUp(service)
    const { token } = await addToken(ada, {
      ...{ name: 'engine', announce: '', history: 'on', targets: 'github.com/ada/engine' },
    })
    const items = [release(1, '2020-01-01T00:00:00Z'), release(2, '2020-01-02T00:00:00Z', { url: notes })]
    expect(await refusalOf(await postImport(service, { token }, items))).toEndWith('Send a link to it.')
    expect(
      await refusalOf(
        await postImport(service, { token }, [release(3, '2020-01-03T00:00:00Z', { url: null })]),
      ),
    ).toContain('for github.com/ada/engine.')
    expect(await addImport(service, { token }, items.slice(0, 1))).toEqual({
      added: 1,
      known: 0,
      refused: [],
    })
    expect(await refusalOf(await removeImported(token))).toEndWith(
      'This call would affect all of your deployments.',
    )
  })
})

test('a refused call takes no place in the rate, and comes after it and after the fields', async () => {
  await using limited = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
  const ada = await signUp(limited)
  const { token } = await addToken(ada, { name: 'engine', targets: 'github.com/ada/engine' })
  const call = (fields: Record<string, string>) => post(limited, token, form(fields))
  expect((await call({ message: '', url: notes })).status).toBe(422)
  expect((await call({ message: 'm', url: notes })).status).toBe(403)
  expect((await call({ message: 'm', url: engine })).status).toBe(201)
  expect((await call({ message: 'm', url: notes })).status).toBe(429)
  await expectUnauthorized(await post(limited, token.replace(/.$/, '-'), form({ message: 'm' })))
})
