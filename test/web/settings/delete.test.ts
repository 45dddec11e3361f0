import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { reasonsBeside, valueIn } from '../../support/forms.ts'
import { openRaw } from '../../support/http.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { password, signIn, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

async function userId(username: string): Promise<number> {
  const [row] = await query<{ id: number }>(
    service.db,
    sql`select id::int as id from users where username = ${username}`,
  )
  return row?.id ?? Number.NaN
}

async function rowsOfUser(id: number): Promise<number> {
  const [row] = await query<{ count: number }>(
    service.db,
    sql`select (
      (select count(*) from users where users.id = ${id})
      + (select count(*) from tokens where user_id = ${id})
      + (select count(*) from sessions where user_id = ${id})
      + (select count(*) from deployments where user_id = ${id})
      + (select count(*) from latest_deployments where user_id = ${id})
      + (select count(*) from targets where user_id = ${id})
      + (select count(*) from daily_deployments where user_id = ${id})
      + (select count(*) from devices where user_id = ${id})
      + (select count(*) from refusals where user_id = ${id})
    )::int as count`,
  )
  return row?.count ?? Number.NaN
}

test('readers who watch any part, or return to it, learn once that an account is deleted', async () => {
  const [ada, grace] = [await signUpPoster(service), await signUpPoster(service)]
  const id = await ada.announced({ message: 'gone soon' })
  const paths = [
    '/feed/live',
    `/feed/live?user=${grace.username}&category=feature`,
    `/api/deployments/live?user=${grace.username}`,
  ]
  const watching = await Promise.all(paths.map((path) => openEventSource(service, path)))
  const deleting = [{}, {}].map(() => ada.send('/settings/delete', { username: ada.username, password }))
  for (const response of await Promise.all(deleting)) expect(response.status).toBe(303)
  await grace.announce({ message: 'came after', category: 'feature' })

  const after = { 'Last-Event-ID': String(id) }
  const returning = await Promise.all(paths.map((path) => openEventSource(service, path, after)))
  for (const [n, source] of [...watching, ...returning].entries()) {
    await source.find(({ data }) => data?.includes('came after') === true)
    const told = source.messages.filter(({ data }) => data?.includes(ada.username) === true)
    const expected =
      n % 3 === 2
        ? ['account_deleted', JSON.stringify({ username: ada.username })]
        : [null, `<li data-deleted="${ada.username}"></li>`]
    expect(told.map(({ event, data }) => [event, data])).toEqual([expected as [null, string]])
    expect(Number(told[0]?.id)).toBeGreaterThan(id)
    source.close()
  }
  const poll = await service.fetch(`/feed/live?after=${id}`, { headers: { Accept: 'text/html' } })
  expect(await poll.text()).toContain(`<li data-deleted="${ada.username}"></li>`)
})

describe('deleting an account', () => {
  test.each([
    ['nothing', ''],
    ['something else', 'yes'],
    ['another account', 'account-other'],
    ['the display name', 'Deleted Person'],
  ])('needs the username: %s is refused, what was typed is kept, and all stays', async (_, username) => {
    const person = await signUp(service, { name: 'Deleted Person' })
    const response = await person.send('/settings/delete', { username, password })
    expect(response.status).toBe(422)
    const page = await response.text()
    expect(reasonsBeside(page, 'username')).toBe('is not your username')
    expect(valueIn(page, 'username')).toBe(username)
    expect((await person.get('/settings')).status).toBe(200)
    expect((await service.fetch(`/${person.username}`)).status).toBe(200)
  })

  test.each([
    ['none', '', 'is not your password'],
    ['a wrong one', 'not my password', 'is not your password'],
  ])('needs the password: %s is refused, and all stays', async (_, typed, reason) => {
    const person = await signUp(service)
    const response = await person.send('/settings/delete', { username: person.username, password: typed })
    expect(response.status).toBe(422)
    const page = await response.text()
    expect([reasonsBeside(page, 'password'), valueIn(page, 'username')]).toEqual([reason, person.username])
    expect((await person.get('/settings')).status).toBe(200)
  })

  test('leads to signing in if another request deleted the account while the form was being sent', async () => {
    const person = await signUp(service)
    const fields = new URLSearchParams({ username: person.username, password }).toString()
    const slow = openRaw(service.url, [
      'POST /settings/delete HTTP/1.1',
      'Host: shipfeed.test',
      'Connection: close',
      `Cookie: ${person.cookie}`,
      'Sec-Fetch-Site: same-origin',
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${fields.length}`,
      '',
      '',
    ])
    // Answered after the session of the slow request has been read.
    await person.get('/settings')
    expect((await person.send('/settings/delete', { username: person.username, password })).status).toBe(303)
    slow.socket.write(fields)
    expect(await slow.ended).toMatch(/^HTTP\/1\.1 303 .*\r\nLocation: \/sign-in/is)
  })

  test('is confirmed on the page that it leads to', async () => {
    const person = await signUp(service)
    const response = await person.send('/settings/delete', { username: person.username, password })
    const page = await service.fetch(response.headers.get('location') ?? '')
    expect(await page.text()).toContain('Your account and everything in it is deleted.')
  })

  test('takes everything with it: the session, the token, the profile, the badge and every row', async () => {
    const person = await signUpPoster(service)
    const elsewhere = await signIn(service, person)
    const id = await person.announced({ message: 'Soon gone', url: 'https://gone.example/a' })
    const owner = await userId(person.username)
    expect(await rowsOfUser(owner)).toBeGreaterThan(5)

    const response = await person.send('/settings/delete', { username: person.username, password })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/sign-in?done=deleted')
    expect(response.headers.getSetCookie().join()).toMatch(/^session=; .*Max-Age=0/)

    // On a busy machine, the rows go on going in the background.
    await eventually('every row is gone', async () => (await rowsOfUser(owner)) === 0)
    expect((await person.get('/settings')).status).toBe(303)
    expect((await elsewhere.get('/settings')).status).toBe(303)
    expect((await person.announce({ message: 'From the grave' })).status).toBe(401)
    expect((await service.fetch(`/${person.username}`)).status).toBe(404)
    expect((await service.fetch(`/${person.username}/${id}`)).status).toBe(404)
    expect((await service.fetch(`/badge/${person.username}.json`)).status).toBe(404)
    const badge = await service.fetch(`/badge/${person.username}.svg`)
    expect(badge.status).toBe(200)
    expect(await badge.text()).toContain('unknown')
    expect(await (await service.fetch('/')).text()).not.toContain('Soon gone')
  })

  test('touches no other account', async () => {
    const stranger = await signUpPoster(service)
    await stranger.announce({ message: 'Still here' })
    const before = await rowsOfUser(await userId(stranger.username))
    const person = await signUp(service)
    expect((await person.send('/settings/delete', { username: person.username, password })).status).toBe(303)
    expect(await rowsOfUser(await userId(stranger.username))).toBe(before)
  })

  test.each([
    ['in another case', (name: string) => name.toUpperCase()],
    ['with a space behind it', (name: string) => `${name} `],
  ])('takes the username %s', async (_, spell) => {
    const person = await signUp(service)
    const response = await person.send('/settings/delete', { username: spell(person.username), password })
    expect(response.status).toBe(303)
    expect(await userId(person.username)).toBeNaN()
  })

  test('never gives the username to anybody again', async () => {
    const person = await signUp(service, { username: 'account-gone' })
    await person.send('/settings/delete', { username: 'account-gone', password })
    await expect(signUp(service, { username: 'account-gone' })).rejects.toThrow('is taken')
  })
})
