import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { finishDeletions } from '../../../src/data/account/deletion.ts'
import { createUser } from '../../../src/data/account/users.ts'
import { tables } from '../../../src/table-uses.ts'
import { query } from '../../support/database.ts'
import { userIdOf } from '../../support/deployments.ts'
import { eventually } from '../../support/eventually.ts'
import { type Poster, password, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })

async function deleteAccount(person: Poster): Promise<void> {
  const response = await person.send('/settings/delete', { username: person.username, password })
  expect(response.status).toBe(303)
}

const ownedRows = sql.join(
  [
    'deployments',
    'latest_deployments',
    'targets',
    'target_scopes',
    'daily_deployments',
    'tokens',
    'webhooks',
    'withdrawals',
  ].map((table) => sql.raw(`select user_id from ${table}`)),
  sql` union all `,
)

async function rowsOf(userId: number): Promise<number> {
  const [row] = await query<{ rows: number }>(
    service.db,
    sql`
      select (select count(*)::int from (${ownedRows}) owned where user_id = ${userId})
        + (select count(*)::int from users where id = ${userId}) as rows`,
  )
  return row?.rows ?? Number.NaN
}

test('a deleted account leaves nothing but its username, which cannot be taken again', async () => {
  const ada = await signUpPoster(service)
  const userId = await userIdOf(service.db, ada)
  for (const url of ['https://github.com/ada/engine', null]) await ada.announce({ message: 'A', url })
  const withdrawn = await ada.announced({ message: 'Withdrawn' })
  await ada.send(`/${ada.username}/${withdrawn}/delete`, {})
  // Enough for several chunks.
  await query(
    service.db,
    sql`
      insert into deployments (user_id, message, scopes, deployed_at)
      select ${userId}, 'A', array[''], now() from generate_series(1, 250)`,
  )
  await deleteAccount(ada)
  // On a busy machine, the last rows go in the background.
  await eventually('its rows are gone', async () => (await rowsOf(userId)) === 0)
  expect((await service.fetch(`/${ada.username}`)).status).toBe(404)
  expect((await ada.announce({ message: 'B' })).status).toBe(401)
  const account = { username: ada.username, name: 'Another', passwordHash: 'x' }
  expect(await createUser(service.db, account)).toBeNull()
  expect((await service.fetch(`/badge/${ada.username}.json`)).status).toBe(404)
})

test('while an account is being removed, its deployments are shown nowhere', async () => {
  const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
  const userId = await userIdOf(service.db, ada)
  const message = `Unseen, of ${ada.username}`
  const id = await grace.announced({ message: 'Before' })
  await ada.announce({ message })
  await grace.announce({ message: 'After' })
  await query(service.db, sql`update users set username = ${`~${userId}`} where id = ${userId}`)
  const reading = new AbortController()
  const stream = await service.fetch(`/api/deployments/live?after=${id}`, { signal: reading.signal })
  const answers = [
    await (await service.fetch('/')).text(),
    await (await service.fetch('/api/deployments')).text(),
    await (await service.fetch(`/feed/live?after=${id}`, { headers: { Accept: 'text/html' } })).text(),
    await untilSent(stream, 'After'),
  ]
  reading.abort()
  for (const answer of answers) {
    expect(answer).toContain('After')
    expect(answer).not.toContain(message)
  }
})

async function untilSent({ body }: Response, end: string): Promise<string> {
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.includes(end)) break
  }
  return text
}

test('what a crash leaves of a deleted account is removed later', async () => {
  const ada = await signUpPoster(service)
  const userId = await userIdOf(service.db, ada)
  await ada.announce({ message: 'A', url: 'https://github.com/ada/engine' })
  await query(service.db, sql`insert into retired_usernames values (${ada.username}, ${userId})`)
  await finishDeletions(service.db, tables)
  expect(await rowsOf(userId)).toBe(0)
  expect(await createUser(service.db, { username: ada.username, name: 'A', passwordHash: 'x' })).toBeNull()
})
