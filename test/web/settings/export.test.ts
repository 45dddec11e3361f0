import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { password, signIn, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const issuer = 'https://token.actions.githubusercontent.com'
const service = await useService({ OIDC_ISSUERS: issuer })

const second = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

test('without a session it sends to sign in, and back', async () => {
  const response = await service.fetch('/settings/export')
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/sign-in?next=%2Fsettings%2Fexport')
})

test('it is a private file, named by the username', async () => {
  const person = await signUp(service)
  const response = await person.get('/settings/export')
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="shipfeed-${person.username}.json"`,
  )
})

describe('its content', () => {
  test('is everything of the account, in words that a program reads', async () => {
    const poster = await signUpPoster(service, { name: 'Ada "</script>" Lovelace' })
    await signIn(service, poster)
    await poster.send('/settings/publishers', { issuer, repository: 'ada/engine', workflow: 'deploy.yml' })
    const message = 'feat: "quotes"\n\u2028 ✨ </script>'
    await poster.announce({ message, url: 'https://a.example/?b=1&c=2' }, { 'Idempotency-Key': 'k' })
    await poster.announce({ message: 'second' })
    const file = await (await poster.get('/settings/export')).json()
    expect(file).toEqual({
      exported_at: expect.stringMatching(second),
      profile: {
        id: expect.any(Number),
        username: poster.username,
        name: poster.name,
        joined_at: expect.stringMatching(second),
      },
      tokens: [
        {
          last_four: poster.token.slice(-4),
          created_at: expect.stringMatching(second),
          last_used_at: expect.stringMatching(second),
          expires_at: null,
        },
      ],
      publishers: [
        {
          id: expect.any(Number),
          issuer,
          repository: 'ada/engine',
          repository_id: null,
          owner_id: null,
          workflow: 'deploy.yml',
          environment: null,
          created_at: expect.stringMatching(second),
          last_used_at: null,
        },
      ],
      sessions: Array(2).fill({
        user_agent: expect.stringContaining('Bun'),
        created_at: expect.stringMatching(second),
        last_seen_at: expect.stringMatching(second),
      }),
      refused_calls: [],
      deployments: [
        {
          id: expect.any(Number),
          message: 'second',
          url: null,
          category: null,
          environment: null,
          version: null,
          commit: null,
          deployed_at: expect.stringMatching(second),
          idempotency_key: null,
        },
        {
          id: expect.any(Number),
          message,
          url: 'https://a.example/?b=1&c=2',
          category: 'feature',
          environment: null,
          version: null,
          commit: null,
          deployed_at: expect.stringMatching(second),
          idempotency_key: 'k',
        },
      ],
    })
  })

  test('opens no door: no token, no hash, no password', async () => {
    const poster = await signUpPoster(service)
    const text = await (await poster.get('/settings/export')).text()
    const rows = await query<{ secret: string }>(
      service.db,
      sql`select hash as secret from tokens union select hash from sessions
        union select password_hash from users where username = ${poster.username}`,
    )
    expect(rows.length).toBeGreaterThan(2)
    for (const secret of [
      poster.token,
      password,
      poster.cookie.split('=')[1] ?? '',
      ...rows.map((row) => row.secret),
    ]) {
      expect(text).not.toContain(secret)
    }
  })

  test.each([0, 1, 499, 500, 501, 1_001])(
    'holds all of %d deployments, each once, the newest first',
    async (count) => {
      const person = await signUp(service)
      await query(
        service.db,
        sql`insert into deployments (user_id, message, scopes, deployed_at)
        select u.id, 'number ' || i, array[''], now()
        from users u, generate_series(1, ${count}::int) i where u.username = ${person.username} order by i`,
      )
      const { deployments } = (await (await person.get('/settings/export')).json()) as {
        deployments: { message: string }[]
      }
      expect(deployments.map(({ message }) => message)).toEqual(
        Array.from({ length: count }, (_, n) => `number ${count - n}`),
      )
    },
  )
})
