import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { created, expectError, expectUnauthorized } from '../../support/api.ts'
import { query } from '../../support/database.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '0' })
const ada = await signUpPoster(service)
const bob = await signUpPoster(service)

const address = (id: unknown) => `/api/deployments/${id}`
const withdraw = (id: unknown, token: string = ada.token) =>
  service.fetch(address(id), { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } })

/** Makes a deployment that old, or old to a millisecond. */
async function age(id: number, interval: string): Promise<void> {
  await query(
    service.db,
    sql`update deployments set deployed_at = now() - ${interval}::interval where id = ${id}`,
  )
}

test('one deployment is the record of the list, for pages anywhere', async () => {
  const { id } = await created(
    await ada.announce({ message: 'fix: <it>', version: 'v1.0.0', environment: 'production' }),
  )
  const listed = await service.fetch(`/api/deployments?user=${ada.username}`)
  const { deployments } = (await listed.json()) as { deployments: unknown[] }
  const response = await service.fetch(address(id))
  expect(await response.json()).toEqual(deployments[0])
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('cache-control')).toBe('no-store')
})

test.each(['0', '01', 'x', '999999999999999', '1e3'])('%s is no deployment', async (id) => {
  await expectError(await service.fetch(address(id)), 404, 'not_found')
  await expectError(await withdraw(id), 404, 'not_found')
})

describe('a token withdraws', () => {
  test('what its user announced: it is gone everywhere, and a second call finds nothing', async () => {
    const { id } = await created(await ada.announce({ message: 'A mistake' }))
    const response = await withdraw(id)
    expect([response.status, await response.text()]).toEqual([204, ''])
    expect((await service.fetch(address(id))).status).toBe(404)
    expect(await (await service.fetch(`/${ada.username}`)).text()).not.toContain('A mistake')
    await expectError(await withdraw(id), 404, 'not_found')
  })

  test('nothing of another user, and nothing without a working token', async () => {
    const id = await ada.announced({ message: 'Stays' })
    await expectError(await withdraw(id, bob.token), 403, 'forbidden')
    await expectUnauthorized(await withdraw(id, ada.token.replace(/.$/, '-')))
    await expectUnauthorized(await service.fetch(address(id), { method: 'DELETE' }))
    expect((await service.fetch(address(id))).status).toBe(200)
  })

  test('for 24 hours', async () => {
    const id = await ada.announced({ message: 'Aged' })
    await age(id, '24 hours 1 second')
    await expectError(await withdraw(id), 403, 'forbidden')
    await age(id, '23 hours 58 minutes')
    expect((await withdraw(id)).status).toBe(204)
  })

  test('only if its user generated it: that of a publisher can only announce', async () => {
    const id = await ada.announced({ message: 'By the publisher' })
    const publisher = sql`insert into publishers (user_id, issuer, repository)
      select user_id, 'https://issuer.example', 'ada/engine' from deployments where id = ${id} returning id`
    const [{ id: publisherId } = { id: 0 }] = await query<{ id: number }>(service.db, publisher)
    await query(
      service.db,
      sql`update tokens set publisher_id = ${publisherId} where user_id = (
      select user_id from deployments where id = ${id})`,
    )
    await expectError(await withdraw(id), 403, 'forbidden')
    await query(service.db, sql`update tokens set publisher_id = null where publisher_id = ${publisherId}`)
    expect((await withdraw(id)).status).toBe(204)
  })
})
