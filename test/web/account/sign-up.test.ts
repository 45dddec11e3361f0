import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { query } from '../../support/database.ts'
import { reasonsBeside, sendForm, valueIn } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { cookieOf, fromNewAddress, password, sameOrigin } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

const good = { username: 'up-somebody', name: 'Some Body', password }

async function countUsers(username: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    service.db,
    sql`select count(*)::int as count from users where username = ${username}`,
  )
  return row?.count ?? Number.NaN
}

describe('a good sign-up', () => {
  test('answers 303 to the settings, with a session that works', async () => {
    const response = await sendForm(service, '/sign-up', { ...good, username: 'up-good' })
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/settings')
    const settings = await service.fetch('/settings', { headers: { Cookie: cookieOf(response) } })
    expect(settings.status).toBe(200)
  })

  test('stores the username in lower case, and the display name as it was typed', async () => {
    const response = await sendForm(service, '/sign-up', { ...good, username: 'Up-MIXED', name: 'Ünï 🚀' })
    expect(response.status).toBe(303)
    const rows = await query(
      service.db,
      sql`select username, name from users where username ilike 'up-mixed'`,
    )
    expect(rows).toEqual([{ username: 'up-mixed', name: 'Ünï 🚀' }])
  })

  test('a form sent as multipart works too', async () => {
    const body = new FormData()
    for (const [name, value] of Object.entries({ ...good, username: 'up-multipart' })) body.set(name, value)
    const response = await service.fetch('/sign-up', { method: 'POST', body, headers: sameOrigin })
    expect(response.status).toBe(303)
  })

  test('in a browser that is signed in, ends the session that the browser had', async () => {
    const first = await sendForm(service, '/sign-up', { ...good, username: 'up-first' })
    const Cookie = cookieOf(first)
    const second = await sendForm(service, '/sign-up', { ...good, username: 'up-second' }, { Cookie })
    expect(second.status).toBe(303)
    expect((await service.fetch('/settings', { headers: { Cookie } })).status).toBe(303)
  })

  test.each([
    ['a username of 39 characters', { username: `up-${'a'.repeat(36)}` }],
    ['a username of digits with single hyphens', { username: '0-1-2' }],
    ['a display name of 60 emoji', { username: 'up-emoji', name: '🚀'.repeat(60) }],
    ['a password of 10 bytes', { username: 'up-ten', password: 'xk7-Qw,9 z' }],
    ['a password of 1,024 bytes', { username: 'up-1024', password: `xk7-${'xy'.repeat(510)}` }],
  ])('is made with %s', async (_, fields) => {
    expect((await sendForm(service, '/sign-up', { ...good, ...fields })).status).toBe(303)
  })
})

describe('a refused sign-up', () => {
  // Every reason is in the tests of domain/.
  test.each([
    ['username', '', "can't be blank"],
    ['username', 'a'.repeat(40), 'must have at most 39'],
    ['username', 'up--up', 'must have single hyphens'],
    ['username', 'up.svg', "“.” isn't allowed"],
    ['username', 'admin', 'is reserved'],
    ['name', '', "can't be blank"],
    ['name', 'n'.repeat(61), 'at most 60'],
    ['name', 'two\nlines', 'one line'],
    ['password', '123456789', 'at least 10'],
    ['password', 'é'.repeat(513), 'at most 1024'],
    ['password', '1234567890', 'too easy to guess'],
  ])('shows next to %s, when it is %p, that it %s', async (field, value, reason) => {
    const response = await sendForm(service, '/sign-up', { ...good, [field]: value })
    expect(response.status).toBe(422)
    expect(response.headers.getSetCookie()).toEqual([])
    expect(reasonsBeside(await response.text(), field)).toContain(reason)
  })

  test('refuses the username as password, in any case', async () => {
    const fields = { ...good, username: 'up-same-as-name', password: 'UP-SAME-AS-NAME' }
    const page = await (await sendForm(service, '/sign-up', fields)).text()
    expect(reasonsBeside(page, 'password')).toContain("can't be your username")
  })

  test('names all invalid fields at once, and refuses a form without fields like an empty one', async () => {
    const response = await sendForm(service, '/sign-up', {})
    expect(response.status).toBe(422)
    const page = await response.text()
    for (const field of ['username', 'name', 'password']) expect(reasonsBeside(page, field)).not.toBe('')
  })

  test('keeps what was typed, as text, and never the password', async () => {
    const fields = {
      username: '"><script>x</script>',
      name: '<b>&copy;</b>',
      password: 'my own secret words',
    }
    const page = await (await sendForm(service, '/sign-up', fields)).text()
    expect(valueIn(page, 'username')).toBe(fields.username)
    expect(valueIn(page, 'name')).toBe(fields.name)
    expect(valueIn(page, 'password')).toBe('')
    expect(page).not.toContain(fields.password)
    expect(page).not.toContain('<script>x')
  })
})

describe('a taken username', () => {
  test.each(['up-taken', 'UP-Taken'])('%s is refused next to its field', async (username) => {
    await sendForm(service, '/sign-up', { ...good, username: 'up-taken' })
    const response = await sendForm(service, '/sign-up', { ...good, username })
    expect(response.status).toBe(422)
    expect(reasonsBeside(await response.text(), 'username')).toBe('is taken')
    expect(await countUsers('up-taken')).toBe(1)
  })

  test('of 20 concurrent sign-ups with one username, one succeeds and 19 are refused as taken', async () => {
    const names = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'up-race' : 'Up-Race'))
    const answers = await Promise.all(
      names.map((username) => sendForm(service, '/sign-up', { ...good, username })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([303, ...Array(19).fill(422)])
    const refused = answers.filter(({ status }) => status === 422)
    for (const answer of refused) expect(reasonsBeside(await answer.text(), 'username')).toBe('is taken')
    expect(await countUsers('up-race')).toBe(1)
  })
})

test('every first path segment of the router is refused as a username', async () => {
  const segments = service.paths.map((path) => path.split('/')[1] ?? '')
  const own = [...new Set(segments)].filter((segment) => segment !== '' && !segment.startsWith(':'))
  expect(own).toContain('badge')
  expect(own).toContain('settings')
  for (const username of own.flatMap((segment) => [segment, segment.split('.')[0] ?? ''])) {
    const response = await sendForm(service, '/sign-up', { ...good, username }, fromNewAddress())
    expect([username, response.status]).toEqual([username, 422])
  }
})

test('spaces around the username and the name are no part of them', async () => {
  const fields = { username: ' Spaced ', name: '  Ada Lovelace ', password }
  const response = await sendForm(service, '/sign-up', fields)
  expect(response.status).toBe(303)
  const profile = await (await service.fetch('/spaced')).text()
  expect(textOf(profile, 'h1')).toBe('Ada Lovelace')
  const Cookie = cookieOf(response)
  await sendForm(service, '/settings/profile', { name: ' Countess ' }, { Cookie })
  expect(textOf(await (await service.fetch('/spaced')).text(), 'h1')).toBe('Countess')
})
