import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { rollReadKey } from '../../../src/capabilities/members-only/store.ts'
import { storePasswordLink } from '../../../src/data/account/password-links.ts'
import { hashSecret, newSecret } from '../../../src/data/account/tokens.ts'
import { findUser } from '../../../src/data/account/users.ts'
import { addImport, release } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { githubDeployment } from '../../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../../support/intake/intakes.ts'
import { type Poster, password, signIn, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'
import { webhookOf } from '../../support/webhooks/receiver.ts'

const issuer = 'https://token.actions.githubusercontent.com'
const service = await useService({ OIDC_ISSUERS: issuer })

/** The data that is kept of a user but is not in the export, and why. */
const leftOut: Readonly<Record<string, string>> = {
  retired_usernames: 'it is of accounts that are deleted',
  latest_deployments: 'it is counted from the deployments',
  daily_deployments: 'it is counted from the deployments',
  target_days: 'it is counted from the deployments',
  targets: 'it is counted from the deployments',
  target_scopes: 'it is counted from the deployments',
  user_stamps: 'it is random, and only says that something changed',
  'deployments.scopes': 'it is read from the link',
  'deployments.target': 'it is read from the link',
  'joined_projects.scopes': 'it is read from the target',
  'deployments.target_rule': 'it is read from the link',
  'users.password_hash': 'it is a secret',
  'tokens.hash': 'it is a secret',
  'read_keys.hash': 'it is a secret',
  'sessions.hash': 'it is a secret',
  'devices.hash': 'it is a secret',
  'password_links.hash': 'it is a secret',
  'deployments.hops': 'only sending needs it',
  'intakes.secret': 'it is a secret',
  'intake_calls.id': 'it says nothing that their order does not say',
  'webhooks.url': 'it may be a secret: the host is there',
  'webhooks.secret': 'it is a secret',
  'webhooks.old_secret': 'it is a secret',
  'webhooks.old_secret_until': 'it says something of a secret',
  'webhooks.position': 'only sending needs it',
  'webhooks.last_event': 'only sending needs it',
  'webhooks.next_try_at': 'only sending needs it',
  'webhooks.claim': 'only sending needs it',
  'webhooks.attempts': 'only sending needs it',
  'webhooks.is_proven': 'only sending needs it',
  'webhooks.paused_because': 'only sending needs it',
  'refusals.id': 'it says nothing that their order does not say',
  'withdrawals.id': 'it says nothing that their order does not say',
}

/** Where the export has other names than the tables. */
const lists: Readonly<Record<string, string>> = {
  users: 'profile',
  devices: 'known_browsers',
  refusals: 'refused_calls',
}
const members: Readonly<Record<string, string>> = {
  'users.created_at': 'joined_at',
  'sessions.device': 'user_agent',
  'withdrawals.deployment_id': 'id',
}

/** Whether a column is in the export of somebody who has a row in each table. */
function isIn(file: Record<string, unknown>, table: string, column: string): boolean {
  const [row] = [file[lists[table] ?? table]].flat()
  return Object.keys(row ?? {}).includes(members[`${table}.${column}`] ?? column)
}

/** The export once it has the call that was refused: the answer to that call does not wait until it is kept. */
async function exportWithRefusal(poster: Poster): Promise<Record<string, unknown>> {
  let file: Record<string, unknown> = {}
  await eventually('the refused call is in the export', async () => {
    file = (await (await poster.get('/settings/export')).json()) as Record<string, unknown>
    return (file.refused_calls as readonly unknown[]).length > 0
  })
  return file
}

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
  test('stands in this order', async () => {
    const file = await (await (await signUp(service)).get('/settings/export')).json()
    expect(Object.keys(file as object)).toEqual([
      ...[
        'exported_at',
        'profile',
        'tokens',
        'read_keys',
        'publishers',
        'webhooks',
        'intakes',
        'intake_calls',
      ],
      ...['sessions', 'known_browsers', 'password_links', 'refused_calls', 'history_days', 'joined_projects'],
      ...['deployments', 'withdrawals'],
    ])
  })

  test('is everything of the account, in words that a program reads', async () => {
    const poster = await signUpPoster(service, { name: 'Ada "</script>" Lovelace' })
    await signIn(service, poster)
    await poster.send('/settings/environment-order', { environments: 'qa' })
    await poster.send('/settings/publishers', { issuer, repository: 'ada/engine', workflow: 'deploy.yml' })
    const message = 'feat: "quotes"\n\u2028 ✨ </script>'
    await poster.announce({ message, url: 'https://a.example/?b=1&c=2' }, { 'Idempotency-Key': 'k' })
    await poster.announce({ message: 'second' })
    await poster.announce({ message: '', url: 'https://github.com/ada/engine' })
    const withdrawn = (await (await poster.announce({ message: 'third' })).json()) as { id: number }
    await poster.send(`/${poster.username}/${withdrawn.id}/delete`, {})
    const file = await exportWithRefusal(poster)
    expect(file).toEqual({
      exported_at: expect.stringMatching(second),
      profile: {
        id: expect.any(Number),
        username: poster.username,
        name: poster.name,
        joined_at: expect.stringMatching(second),
        shows_checklist: true,
        environment_order: ['qa'],
      },
      tokens: [
        {
          id: expect.any(Number),
          name: 'default',
          last_four: poster.token.slice(-4),
          may: ['announce', 'history', 'withdraw', 'read'],
          targets: [],
          environments: [],
          ends_on: null,
          created_at: expect.stringMatching(second),
          last_used_at: expect.stringMatching(second),
          last_used_from: 'k',
          expires_at: null,
          publisher_id: null,
          ...{ environment: null, version: null, commit: null, actor: null, verifies: null, verified: null },
        },
      ],
      webhooks: [],
      read_keys: [],
      intakes: [],
      intake_calls: [],
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
      known_browsers: Array(2).fill({ signed_in_at: expect.stringMatching(second) }),
      password_links: [],
      refused_calls: [
        {
          status: 422,
          reason: expect.any(String),
          source: 'github.com',
          token: 'default',
          refused_at: expect.stringMatching(second),
        },
      ],
      history_days: [],
      joined_projects: [],
      deployments: [
        {
          id: expect.any(Number),
          message: 'second',
          url: null,
          category: null,
          environment: null,
          version: null,
          commit: null,
          ...{ project: null, actor: null, environment_url: null },
          deployed_at: expect.stringMatching(second),
          idempotency_key: null,
          posted_as: null,
          verified: null,
          token: 'default',
          imported: false,
        },
        {
          id: expect.any(Number),
          message,
          url: 'https://a.example/?b=1&c=2',
          category: 'feature',
          environment: null,
          version: null,
          commit: null,
          ...{ project: null, actor: null, environment_url: null },
          deployed_at: expect.stringMatching(second),
          idempotency_key: 'k',
          posted_as: poster.name,
          verified: null,
          token: 'default',
          imported: false,
        },
      ],
      withdrawals: [{ id: expect.any(Number), deployed_at: expect.stringMatching(second) }],
    })
  })

  test('is every column of every table with a user in it, but for those with a reason', async () => {
    const poster = await signUpPoster(service)
    await addImport(service, poster, [release(1, '2020-01-01T00:00:00Z')])
    await poster.send('/settings/publishers', { issuer, repository: 'ada/engine' })
    await webhookOf(service, poster, 'https://example.com/hook')
    await deliver(service, await madeIntake(poster, 'github'), githubDeployment())
    await poster.announce({ message: '' })
    const id = await poster.announced({ message: 'Gone' })
    await poster.send(`/${poster.username}/${id}/delete`, {})
    await poster.announced({ message: 'Stays', project: 'motor' })
    await poster.send('/settings/projects', { spelling: '-/motor', target: '-/engine' })
    await rollReadKey(service.db, (await findUser(service.db, poster.username))?.user.id ?? 0)
    await storePasswordLink(service.db, {
      hash: hashSecret(newSecret()),
      username: poster.username,
      isNew: false,
    })
    const file = await exportWithRefusal(poster)

    const columns = await query<{ table: string; name: string }>(
      service.db,
      sql`
        select table_name as table, column_name as name from information_schema.columns c
        where table_schema = 'public' and (table_name = 'users' or exists (
          select from information_schema.columns o
          where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'user_id'
        )) order by table_name, ordinal_position`,
    )
    const told = columns.filter(({ table, name }) => {
      const isLeftOut = table in leftOut || `${table}.${name}` in leftOut || name === 'user_id'
      return !isLeftOut
    })
    expect(told.length).toBeGreaterThan(30)
    const missing = told.filter(({ table, name }) => !isIn(file, table, name))
    expect(missing).toEqual([])
    const known = columns.flatMap(({ table, name }) => [table, `${table}.${name}`])
    expect(Object.keys(leftOut).filter((one) => !known.includes(one))).toEqual([])
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

test('a user has one at a time, until it is read or left', async () => {
  const [ada, grace] = [await signUpPoster(service), await signUp(service)]
  // More than the buffers of a connection hold, so that it is under way until it is read.
  await query(
    service.db,
    sql`
      insert into deployments (user_id, message, scopes, deployed_at)
      select id, repeat('a', 4096), '{}', now() from users, generate_series(1, 4000)
      where username = ${ada.username}`,
  )
  const statusOf = async (person: Pick<Poster, 'get'>) => {
    const response = await person.get('/settings/export')
    await response.body?.cancel()
    return response.status
  }
  for (const leave of [(body: Response) => body.text(), (body: Response) => body.body?.cancel()]) {
    let underWay = new Response()
    // What was left a moment ago may be under way still.
    await eventually('it is given', async () => {
      underWay = await ada.get('/settings/export')
      return underWay.status === 200
    })
    const refused = await ada.get('/settings/export')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '20'])
    await eventually('another one is given hers', async () => (await statusOf(grace)) === 200)
    await leave(underWay)
    await eventually('it is over', async () => (await statusOf(ada)) === 200)
  }
  const asked = { method: 'HEAD', headers: { Cookie: ada.cookie } }
  await eventually(
    'its head is given',
    async () => (await service.fetch('/settings/export', asked)).status === 200,
  )
  await eventually('it is over', async () => (await statusOf(ada)) === 200)
})
