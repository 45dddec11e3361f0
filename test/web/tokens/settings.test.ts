import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addImport, created, form, post, release } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { reasonsBeside } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import {
  addToken,
  cookieOf,
  type Person,
  password,
  rollToken,
  signUp,
  signUpPoster,
} from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()

async function statusOf(token: string): Promise<number> {
  return (await post(service, token, form({ message: 'With a token' }))).status
}

async function listOf(person: Person): Promise<string> {
  const response = await person.get('/settings/tokens')
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return textOf(await response.text(), '#own-tokens')
}

/** A day by its distance from today, in UTC. */
function dayIn(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
}

test('a token is added next to the default one and shown once, and the page tells what it may and who used it', async () => {
  const ada = await signUp(service)
  const first = await rollToken(ada)
  const { token } = await addToken(ada, {
    ...{ name: ' engine on GitHub ', withdraw: 'on', announce: '' },
    ...{ targets: 'https://GitHub.com/ada/engine/pull/1, ada.dev', environments: 'Production' },
    ends: dayIn(400),
  })
  const list = await listOf(ada)
  expect(list).not.toContain(token)
  expect(list).toMatch(/defaultship_….{4} · created just now · never used/)
  expect(list).toContain(
    `engine on GitHubship_…${token.slice(-4)} · created just now · never used · ends on `,
  )
  expect(list).toContain('Withdraw deployments · only github.com/ada/engine, ada.dev · only to production')

  const { token: other } = await addToken(ada, { name: 'notes' })
  const link = { message: 'm', url: 'https://ci.example:8443/x' }
  expect((await post(service, other, form(link))).status).toBe(201)
  expect(await listOf(ada)).toContain('last used just now from ci.example:8443')
  await query(service.db, sql`update tokens set last_used_at = now() - interval '61 seconds'`)
  await post(service, other, form(link), { 'Idempotency-Key': `${'k'.repeat(80)}${other}` })
  expect(await listOf(ada)).toContain(`from ${'k'.repeat(80)}…`)
  expect(await listOf(ada)).not.toContain(other)
  expect(await statusOf(first)).toBe(201)
  expect(textOf(await (await ada.get('/settings')).text(), '#token')).toContain('You have 2 other tokens')
})

test('refused calls and the page of a deployment say to their owner alone which token it was', async () => {
  const ada = await signUp(service)
  await rollToken(ada)
  const { id: tokenId, token } = await addToken(ada, { name: 'engine', history: 'on' })
  await post(service, token, form({ message: '' }))
  const { id } = await created(await post(service, token, form({ message: 'm' })))
  await eventually('the refusal is told', async () =>
    textOf(await (await ada.get('/settings')).text(), '#refusals').includes('· token “engine”'),
  )
  await addImport(service, { token }, [release(1, '2020-01-01T00:00:00Z')])
  const said = 'Announced with the token engine.'
  const own = await (await ada.get(`/${ada.username}/${id}`)).text()
  expect(textOf(own, 'main')).toContain(said)
  const [, old] = /href="(\/[^"]+\/-\d+)"/.exec(own) ?? []
  expect(textOf(await (await ada.get(old ?? '')).text(), 'main')).toContain(said)
  for (const other of [
    service.fetch(`/${ada.username}/${id}`),
    (await signUp(service)).get(`/${ada.username}/${id}`),
  ]) {
    const shown = await other
    expect([shown.status, (await shown.text()).includes('with the token')]).toEqual([200, false])
  }
  // Even when the token is gone, which is when its owner looks for what it did.
  await ada.send(`/settings/tokens/${tokenId}/end`, {})
  expect(textOf(await (await ada.get(`/${ada.username}/${id}`)).text(), 'main')).toContain(said)
})

describe('the form refuses', () => {
  test.each([
    ['no name', { name: ' ' }, "can't be blank"],
    ['a name of 41 characters', { name: 'n'.repeat(41) }, /at most 40 characters/],
    ['a name of two lines', { name: 'a\nb' }, /./],
    ['a name that there is', { name: 'default' }, 'is the name of another of your tokens'],
    ['another thing than a project', { targets: 'a.example, ?' }, /has “\?”, which is not a host/],
    ['51 projects', { targets: Array.from({ length: 51 }, (_, n) => `${n}.example`).join() }, /at most 50/],
    ['another thing than an environment', { environments: 'prod!' }, /has “prod!”/],
    ['yesterday', { ends: dayIn(-1) }, /must not be in the past: today is/],
    ['another thing than a day', { ends: '2030-02-30' }, /must be a day/],
  ])('%s', async (_, fields, reason) => {
    const ada = await signUp(service)
    await rollToken(ada)
    const answer = await ada.send('/settings/tokens', { name: 'ci', announce: 'on', ...fields })
    expect(answer.status).toBe(422)
    const shown = textOf(await answer.text(), `#add-token .reasons`)
    if (typeof reason === 'string') expect(shown).toBe(reason)
    else expect(shown).toMatch(reason)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await listOf(ada)).not.toContain('ciship_')
  })

  test('a token that may nothing', async () => {
    const answer = await (await signUp(service)).send('/settings/tokens', { name: 'ci' })
    expect(answer.status).toBe(422)
    expect(textOf(await answer.text(), '#may-reasons')).toBe('must be at least one of these')
  })

  test('a browser that signed in a while ago, without the password', async () => {
    const ada = await signUp(service)
    const { id, token } = await addToken(ada, { name: 'ci' })
    await query(service.db, sql`update sessions set created_at = now() - interval '15 minutes'`)
    for (const path of ['/settings/tokens', `/settings/tokens/${id}/roll`]) {
      const refused = await ada.send(path, { name: 'other', announce: 'on', password: 'wrong' })
      expect(refused.status).toBe(422)
      expect(textOf(await refused.text(), '.reasons')).toBe('is not your password')
      expect((await ada.send(path, { name: 'other', announce: 'on', password })).status).toBe(303)
    }
    expect(await statusOf(token)).toBe(401)
    expect((await ada.send(`/settings/tokens/${id}/end`, {})).status).toBe(303)
  })
})

test('a name of 40 characters, 50 projects and today as the last day are accepted', async () => {
  const ada = await signUp(service)
  const targets = Array.from({ length: 50 }, (_, n) => `${n}.example`).join(', ')
  await addToken(ada, { name: 'n'.repeat(40), targets, ends: dayIn(0) })
  expect(await listOf(ada)).toContain('49.example')
})

test('of calls at once, no more than 50 tokens come to be, and the default one can still be generated', async () => {
  const ada = await signUp(service)
  const answers = await Promise.all(
    Array.from({ length: 52 }, (_, n) => ada.send('/settings/tokens', { name: `t${n}`, announce: 'on' })),
  )
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(49)
  const refused = answers.find(({ status }) => status === 422)
  expect(reasonsBeside((await refused?.text()) ?? '', 'name')).toContain(
    'you have 50 tokens, which is the limit',
  )
  expect(await statusOf(await rollToken(ada))).toBe(201)
})

describe('a last day', () => {
  /** Moves the end of a token. */
  const endIn = (token: string, interval: string) =>
    query(
      service.db,
      sql`update tokens set expires_at = now() + ${interval}::interval, ends_on = (now() + ${interval}::interval)::date
        where last_four = ${token.slice(-4)} and ends_on is not null`,
    )

  test('counts to its end in UTC', async () => {
    const ada = await signUp(service)
    const { token } = await addToken(ada, { name: 'ci', ends: dayIn(3) })
    const [row] = await query(
      service.db,
      sql`select ends_on::text as day, to_char(expires_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as instant
        from tokens where last_four = ${token.slice(-4)} and name = 'ci'`,
    )
    expect(row).toEqual({ day: dayIn(3), instant: `${dayIn(4)} 00:00` })
  })

  test('that is over ends the token, which stays in the list until it is rolled or ended', async () => {
    const ada = await signUp(service)
    const { id, token } = await addToken(ada, { name: 'ci', ends: dayIn(3) })
    await endIn(token, '10 seconds')
    expect(await statusOf(token)).toBe(201)
    await endIn(token, '-1 day')
    expect(await statusOf(token)).toBe(401)
    expect(await listOf(ada)).toContain('ended on')
    const rolled = await ada.send(`/settings/tokens/${id}/roll`, { keep_old: '24h', ends: '' })
    expect([await statusOf(token), await statusOf(cookieOf(rolled).slice('new-token='.length))]).toEqual([
      401, 201,
    ])
    expect(await listOf(ada)).not.toMatch(/ended on|works until/)
  })

  test('of the default token is kept by the roll of the settings, unless it is over', async () => {
    const ada = await signUp(service)
    await addToken(ada, { name: 'default', ends: dayIn(3) })
    const token = await rollToken(ada)
    expect(await listOf(ada)).toContain('ends on')
    await endIn(token, '-1 day')
    expect(await statusOf(await rollToken(ada))).toBe(201)
    expect(await listOf(ada)).not.toContain('ends on')
  })
})

describe('rolling a token', () => {
  test('changes its secret and its last day, and nothing else; the old one is kept if asked for', async () => {
    const ada = await signUp(service)
    const other = await rollToken(ada)
    const { id, token } = await addToken(ada, {
      name: 'ci',
      history: 'on',
      targets: 'a.example',
      ends: dayIn(3),
    })
    const roll = async (fields: Record<string, string>) => {
      const rolled = await ada.send(`/settings/tokens/${id}/roll`, fields)
      expect(rolled.headers.get('location')).toBe('/settings/tokens')
      return cookieOf(rolled).slice('new-token='.length)
    }
    const link = form({ message: 'm', url: 'https://a.example/' })
    const works = async (...tokens: string[]) =>
      (await Promise.all(tokens.map((one) => post(service, one, link)))).map(({ status }) => status)
    const second = await roll({ keep_old: '24h', ends: dayIn(5) })
    expect(await works(token, second)).toEqual([201, 201])
    const list = await listOf(ada)
    expect(list).toContain('Announce deployments · Add and remove history · only a.example')
    expect(list).toContain(`The old token ship_…${token.slice(-4)} works until`)
    const third = await roll({})
    expect(await works(token, second, third, other)).toEqual([401, 401, 201, 201])
    expect(await listOf(ada)).not.toMatch(/ends on|works until/)
  })

  test('twice at once leaves one that works', async () => {
    const ada = await signUp(service)
    const { id } = await addToken(ada, { name: 'ci' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ada.send(`/settings/tokens/${id}/roll`, {})),
    )
    const statuses = await Promise.all(
      answers.map((answer) => statusOf(cookieOf(answer).slice('new-token='.length))),
    )
    expect(statuses.sort()).toEqual([201, ...Array(9).fill(401)])
  })
})

describe('ending a token', () => {
  test('takes two clicks, ends what it was rolled from too, and all others go on', async () => {
    const ada = await signUp(service)
    const first = await rollToken(ada)
    const { id, token } = await addToken(ada, { name: 'leaked' })
    const { token: other } = await addToken(ada, { name: 'other' })
    const rolled = await ada.send(`/settings/tokens/${id}/roll`, { keep_old: '24h' })
    const ended = await ada.send(`/settings/tokens/${id}/end`, {})
    expect(ended.headers.get('location')).toBe('/settings/tokens?done=ended')
    const tokens = [token, cookieOf(rolled).slice('new-token='.length), first, other]
    expect(await Promise.all(tokens.map(statusOf))).toEqual([401, 401, 201, 201])
    expect(await listOf(ada)).not.toContain('leaked')
  })

  test('of the default one leads back to the settings of a newcomer', async () => {
    const ada = await signUp(service)
    const token = await rollToken(ada)
    const [, id] = /id="token-(\d+)"/.exec(await (await ada.get('/settings/tokens')).text()) ?? []
    await ada.send(`/settings/tokens/${id}/end`, {})
    expect(await statusOf(token)).toBe(401)
    expect(await (await ada.get('/settings')).text()).toContain('Generate token')
    expect(await statusOf(await rollToken(ada))).toBe(201)
  })

  test('that belongs to somebody else, or is gone, is 404, as rolling it is', async () => {
    const [ada, bob] = [await signUp(service), await signUp(service)]
    const { id, token } = await addToken(ada, { name: 'ci' })
    for (const what of ['roll', 'end']) {
      for (const one of [id, '0', 'x']) {
        expect((await bob.send(`/settings/tokens/${one}/${what}`, {})).status).toBe(404)
      }
    }
    expect(await statusOf(token)).toBe(201)
  })

  test('whose former secret was left alone by version 1.0.0 ends that one too', async () => {
    const ada = await signUp(service)
    const { id, token } = await addToken(ada, { name: 'ci' })
    await query(service.db, sql`update tokens set expires_at = now() + interval '1 day' where id = ${id}`)
    expect(await listOf(ada)).toMatch(/ciship_….{4} was rolled, and works until/)
    await ada.send(`/settings/tokens/${id}/end`, {})
    expect(await statusOf(token)).toBe(401)
  })
})

test.each([
  [
    'github.com /ada/engine',
    'has “github.com /ada/engine”, which is not a host or project, such as github.com/ada/engine or -/engine. Separate several by commas',
  ],
  [
    'a.example b.example',
    'has “a.example b.example”, which is not a host or project, such as github.com/ada/engine or -/engine. Separate several by commas',
  ],
  ['a.example, !!', 'has “!!”, which is not a host or project, such as github.com/ada/engine or -/engine'],
  [
    'ada/engine',
    'has “ada/engine”, which is not a host or project, such as github.com/ada/engine or -/engine. Did you mean github.com/ada/engine or -/ada/engine?',
  ],
])('the projects “%s” are refused with what to write', async (targets, reason) => {
  const ada = await signUp(service)
  const refused = await ada.send('/settings/tokens', { name: 'engine', announce: 'on', targets })
  expect([refused.status, reasonsBeside(await refused.text(), 'targets')]).toEqual([422, reason])
})

test.each([
  ['https://GitHub.com/Ada/engine/pull/1, a.example,', 'github.com/ada/engine, a.example'],
  ['http://intranet/shop', 'intranet/shop'],
])('the projects “%s” are %s', async (targets, read) => {
  const ada = await signUp(service)
  await addToken(ada, { name: 'engine', targets })
  expect(await listOf(ada)).toContain(`only ${read}`)
})

test('the form offers the last projects of its user', async () => {
  const ada = await signUpPoster(service)
  await ada.announce({ message: 'm', url: 'https://github.com/ada/engine/pull/1' })
  const page = await (await ada.get('/settings/tokens')).text()
  expect(page).toContain(
    '<datalist id="own-targets"><option value="github.com/ada/engine"></option></datalist>',
  )
})

test('only a server for members offers a token that may read', async () => {
  await using members = await startService({ VISIBILITY: 'members' })
  for (const [of, isOffered] of [
    [service, false],
    [members, true],
  ] as const) {
    const page = await (await (await signUp(of)).get('/settings/tokens')).text()
    expect(page.includes('name="read"')).toBe(isOffered)
  }
})
