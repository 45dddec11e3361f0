import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { tokenFrom } from '../../../src/domain/account/token.ts'
import { query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { textOf } from '../../support/markup.ts'
import type { Person } from '../../support/people.ts'
import { rollToken, signUp, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService()

async function refusalsPanel(person: Person): Promise<string> {
  return textOf(await (await person.get('/settings')).text(), '#refusals')
}

/** What the owner is told, once this part is in it: the answer to the call does not wait for it. */
async function told(person: Person, part: string): Promise<string> {
  let panel = ''
  await eventually(`the owner is told ${part}`, async () => {
    panel = await refusalsPanel(person)
    return panel.includes(part)
  })
  return panel
}

const form = 'application/x-www-form-urlencoded'

describe('a refused call with a valid token', () => {
  test.each([
    ['400', '400', form, 'message=%zz-secret', {}, 'invalid percent escape'],
    ['413', '413', form, `message=secret${'x'.repeat(65_536)}`, {}, 'at most 65536 bytes'],
    ['415', '415', 'text/secret', 'message=a', {}, 'Send form fields'],
    ['422 of one field', '422', form, 'message=', {}, "message can't be blank"],
    [
      '422 of all fields',
      '422',
      form,
      'url=secret&category=secret',
      {},
      "message can't be blank; url must start with http:// or https://; category must be one of",
    ],
    ['400 of a bad key', '400', form, 'message=a', { 'Idempotency-Key': 'sec ret' }, 'Idempotency-Key'],
  ])('is shown to its owner: %s, without its content', async (_, status, type, body, headers, reason) => {
    const { token, ...person } = await signUpPoster(service)
    const answer = await service.fetch('/api', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': type, ...headers },
      body,
    })
    expect(String(answer.status)).toBe(status)
    const panel = await told(person, reason)
    expect(panel).toContain(`${status} `)
    expect(panel).toContain('just now')
    expect(panel).not.toMatch(/sec ?ret/)
    expect(panel).not.toContain(token)
  })

  test('is shown with what identifies the pipeline: its key, or the host of its link', async () => {
    const poster = await signUpPoster(service)
    const longest = 'k'.repeat(255)
    const calls: [fields: Record<string, string>, key: string | null, told: string][] = [
      [{ message: '' }, 'ada/engine:8841:deploy', 'from ada/engine:8841:deploy'],
      [{ message: '' }, longest, `from ${'k'.repeat(80)}…`],
      // As ci/announce.sh makes it without a CI.
      [{ message: '' }, `shell:${'0a'.repeat(16)}`, 'from a shell'],
      [{ url: 'https://user:secret@CI.Example:8443/path?secret' }, null, 'from ci.example:8443'],
      [{ url: 'https://ci.example/' }, `x-${poster.token}`, ''],
      [{ url: 'secret' }, null, ''],
    ]
    for (const [fields, key, from] of calls) {
      await poster.announce(fields, key === null ? {} : { 'Idempotency-Key': key })
      await told(poster, from)
    }
    let panel = ''
    await eventually('all are told', async () => {
      panel = await refusalsPanel(poster)
      return panel.match(/422 /g)?.length === calls.length
    })
    expect(panel.match(/from /g)).toHaveLength(4)
    expect(panel).not.toMatch(/secret|path/)
    expect(panel).not.toContain(poster.token.slice(5))
  })

  test('is shown: 422 of a key that was used before', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'one' }, { 'Idempotency-Key': 'k' })
    await poster.announce({ message: 'two' }, { 'Idempotency-Key': 'k' })
    expect(await told(poster, 'belongs to another announcement')).toContain('422 ')
  })

  test('is shown: 429, once for all within a minute', async () => {
    await using limited = await startService({ RATE_LIMIT_PER_MINUTE: '1' })
    const poster = await signUpPoster(limited)
    const call = (message: string) => poster.announce({ message })
    await call('one')
    const answers = await Promise.all([...Array.from({ length: 20 }, () => call('more')), call('')])
    expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(429))
    expect((await told(poster, '429 ')).match(/429 /g)).toHaveLength(1)
  })
})

test('the end of a kept token after 24 hours is shown to its owner', async () => {
  const person = await signUp(service)
  const old = await rollToken(person)
  await rollToken(person, { keep_old: '24h' })
  await query(
    service.db,
    sql`update tokens set expires_at = now() - interval '1 second'
      where last_four = ${old.slice(-4)} and expires_at is not null`,
  )
  const headers = { Authorization: `Bearer ${old}` }
  expect((await service.fetch('/api', { method: 'POST', headers })).status).toBe(401)
  expect(await told(person, '401 ')).toContain('This token has ended')
})

test('a recorded or replayed call, and one with an unknown token, leave nothing', async () => {
  const poster = await signUpPoster(service)
  await poster.announce({ message: 'one' }, { 'Idempotency-Key': 'k' })
  await poster.announce({ message: 'one' }, { 'Idempotency-Key': 'k' })
  const nobody = tokenFrom(new Uint8Array(32).fill(9))
  await poster.announce({}, { Authorization: `Bearer ${nobody}` })
  await poster.announce({}, { Authorization: 'Bearer ship_x' })
  // Kept in order: when this last one is there, the others would be.
  await poster.announce({ message: 'the last', url: 'x' })
  const panel = await told(poster, 'url must')
  expect(panel.match(/just now/g)).toHaveLength(1)
  expect(await refusalsPanel(await signUp(service))).toBe('')
})

test('a refusal that cannot be kept changes no answer and is logged without the call', async () => {
  const poster = await signUpPoster(service)
  await query(service.db, sql`alter table refusals rename to refusals_away`)
  try {
    const answer = await poster.announce({ message: '', url: 'secret' })
    expect(answer.status).toBe(422)
    await eventually('a line is logged', () => service.logged.length > 0)
    expect(service.logged.join()).toContain('refusal_lost')
    expect(service.logged.join()).not.toMatch(/secret|must start|[0-9a-f]{64}/)
  } finally {
    await query(service.db, sql`alter table refusals_away rename to refusals`)
  }
})
