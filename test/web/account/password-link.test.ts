import { describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { storePasswordLink } from '../../../src/data/account/password-links.ts'
import { hashSecret, newSecret } from '../../../src/data/account/tokens.ts'
import { query } from '../../support/database.ts'
import { reasonsBeside, sendForm } from '../../support/forms.ts'
import { textOf } from '../../support/markup.ts'
import { password, signIn, signUp, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService({ REGISTRATION: 'closed' })
const open = await useService()
const issuer = 'https://token.actions.githubusercontent.com'
const trusting = await useService({ OIDC_ISSUERS: issuer, WEBHOOKS: 'public' })
type Kept = Readonly<Record<'publishers' | 'tokens' | 'intakes', readonly unknown[]>>
const newPassword = 'a brand new passphrase'

/** Makes a link as the operator's command does, that many seconds ago. */
async function makeLink(username: string, { isNew = false, secondsOld = 0 } = {}): Promise<string> {
  const secret = newSecret()
  const hash = hashSecret(secret)
  expect(await storePasswordLink(service.db, { hash, username, isNew })).toBe(true)
  await query(
    service.db,
    sql`update password_links set expires_at = expires_at - make_interval(secs => ${secondsOld}) where hash = ${hash}`,
  )
  return secret
}

function choose(link: string, fields: Record<string, string> = {}): Promise<Response> {
  return sendForm(service, '/password', { link, password: newPassword, ...fields })
}

async function signInStatus(username: string, typed: string): Promise<number> {
  return (await sendForm(service, '/sign-in', { username, password: typed })).status
}

describe("a link to a user's new password", () => {
  test('opens a form; what is sent signs in here, and out everywhere else', async () => {
    const person = await signUp(open)
    const elsewhere = await signIn(service, person)
    const link = await makeLink(person.username)
    const page = await service.fetch(`/password?link=${link}`)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(textOf(await page.text(), 'h1')).toBe('Choose a new password')

    const response = await choose(link)
    expect([response.status, response.headers.get('location')]).toEqual([303, '/settings'])
    const Cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await service.fetch('/settings', { headers: { Cookie } })).status).toBe(200)
    expect((await elsewhere.get('/settings')).status).toBe(303)
    expect(await signInStatus(person.username, password)).toBe(422)
    expect(await signInStatus(person.username, newPassword)).toBe(303)
  })

  test.each([
    ['leaves tokens, publishers, intakes and webhooks, and says so', {}, 201, 1, null],
    ['ends them where the box is ticked', { end_tokens: 'yes' }, 401, 0, 'all access was ended'],
  ])('%s', async (_, box, status, left, paused) => {
    const poster = await signUpPoster(trusting)
    await poster.send('/settings/publishers', { issuer, repository: 'ada/engine' })
    await poster.send('/settings/intakes', { kind: 'github' })
    await poster.send('/settings/webhooks', { url: 'https://hooks.example.org/x', format: 'standard' })
    const link = await makeLink(poster.username)
    const page = await (await service.fetch(`/password?link=${link}`)).text()
    expect(textOf(page, '.hint')).toContain(
      'Your API tokens, read key, publishers, intakes and webhooks keep working, unless you tick the box below.',
    )
    expect(textOf(page, 'label[for=end-tokens]')).toBe(
      'Also end the API tokens, read key, publishers, intakes and webhooks',
    )
    // What was ticked is kept while the password is refused.
    const refused = await (await choose(link, { password: 'short', ...box })).text()
    expect(/id="end-tokens"[^>]* checked/.test(refused)).toBe('end_tokens' in box)
    expect((await choose(link, box)).status).toBe(303)
    expect((await poster.announce({ message: 'By the old token' })).status).toBe(status)
    const again = await signIn(trusting, poster, newPassword)
    const { publishers, tokens, intakes } = (await (await again.get('/settings/export')).json()) as Kept
    expect([publishers.length, tokens.length, intakes.length]).toEqual([left, left, left])
    const [webhook] = await query<{ because: string | null }>(
      service.db,
      sql`select paused_because as because from webhooks w join users u on u.id = w.user_id where username = ${poster.username}`,
    )
    if (paused === null) expect(webhook).toEqual({ because: null })
    else expect(webhook?.because).toStartWith(paused)
    const events = service.events.filter((line) => line.includes(`"${poster.username}"`)).join()
    expect(events.includes('"tokens_ended"')).toBe('end_tokens' in box)
  })

  test('works once, also when it is used 5 times at once', async () => {
    const link = await makeLink((await signUp(open)).username)
    const answers = await Promise.all(Array.from({ length: 5 }, () => choose(link)))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 404, 404, 404, 404])
    const again = await service.fetch(`/password?link=${link}`)
    expect(again.status).toBe(404)
    expect(await again.text()).toContain('Ask for another one')
  })

  test('ends every other link of the account', async () => {
    const { username } = await signUp(open)
    const [lost, used] = [await makeLink(username), await makeLink(username)]
    expect((await choose(used)).status).toBe(303)
    expect((await choose(lost)).status).toBe(404)
  })

  test.each([
    [3_595, 200],
    [3_600, 404],
  ])('works for an hour: %d seconds old it is %d', async (secondsOld, status) => {
    const link = await makeLink((await signUp(open)).username, { secondsOld })
    expect((await service.fetch(`/password?link=${link}`)).status).toBe(status)
  })

  test('is kept while the new password is refused', async () => {
    const link = await makeLink((await signUp(open)).username)
    const refused = await choose(link, { password: 'short' })
    expect(refused.status).toBe(422)
    expect(reasonsBeside(await refused.text(), 'password')).toContain('at least 10')
    expect((await choose(link)).status).toBe(303)
  })

  test.each(['', 'x', newSecret(), '%00', 'a'.repeat(5_000)])('%p is none', async (link) => {
    expect((await service.fetch(`/password?${new URLSearchParams({ link })}`)).status).toBe(404)
    expect((await choose(link)).status).toBe(404)
  })

  test('leads nowhere once the account is deleted, and is not made for it any more', async () => {
    const person = await signUp(open)
    const link = await makeLink(person.username)
    await person.send('/settings/delete', { username: person.username, password })
    expect((await choose(link)).status).toBe(404)
    for (const isNew of [true, false]) {
      const another = { hash: hashSecret(newSecret()), username: person.username, isNew }
      expect(await storePasswordLink(service.db, another)).toBe(false)
    }
  })

  test('leads nowhere while a deleted account is still being removed', async () => {
    const person = await signUp(open)
    const link = await makeLink(person.username)
    await query(
      service.db,
      sql`update users set username = '~' || id, password_hash = '' where username = ${person.username}`,
    )
    expect((await choose(link)).status).toBe(404)
  })

  test('is not made for a user that does not exist', async () => {
    const link = { hash: hashSecret(newSecret()), username: 'nobody-at-all', isNew: false }
    expect(await storePasswordLink(service.db, link)).toBe(false)
  })
})

describe('a link to a new account, on a server that is closed,', () => {
  test('makes it with the name and the password that are typed', async () => {
    const link = await makeLink('linked-ada', { isNew: true })
    const refused = await choose(link)
    expect(reasonsBeside(await refused.text(), 'name')).toBe("can't be blank")
    expect((await choose(link, { name: ' Ada ' })).status).toBe(303)
    expect(await signInStatus('linked-ada', newPassword)).toBe(303)
    expect(textOf(await (await service.fetch('/linked-ada')).text(), 'h1')).toBe('Ada')
  })

  test('offers the name that the operator gave it, as text', async () => {
    const link = await makeLink('linked-mary', { isNew: true })
    const name = 'Mary "<b>" Shaw'
    const offered = await service.fetch(`/password?${new URLSearchParams({ link, name })}`)
    const page = await offered.text()
    expect([offered.status, textOf(page, 'h1'), page.includes('<b>')]).toEqual([200, 'Create account', false])
    expect(page).toContain('value="Mary &quot;&lt;b&gt;&quot; Shaw"')
    expect(page).not.toContain('end-tokens')
    expect((await service.fetch(`/password?link=${link}&name=a&name=b`)).status).toBe(200)
  })

  test('never opens an account that someone else has just created', async () => {
    const link = await makeLink('linked-grace', { isNew: true })
    await signUp(open, { username: 'linked-grace' })
    const refused = await choose(link, { name: 'Mallory' })
    expect(refused.status).toBe(404)
    expect(await refused.text()).toContain('This username has been taken')
    expect(await signInStatus('linked-grace', password)).toBe(303)
  })

  test('is not made for a name that is taken', async () => {
    const { username } = await signUp(open)
    const link = { hash: hashSecret(newSecret()), username, isNew: true }
    expect(await storePasswordLink(service.db, link)).toBe(false)
  })
})

describe('the pages say whom to ask', () => {
  test.each([
    ['', 'Ask the operator of this server for a link', undefined],
    ['ops@ship.example', 'Ask ops@ship.example for a link', 'mailto:ops@ship.example'],
    ['https://chat.example/ops', 'Ask https://chat.example/ops for a link', 'https://chat.example/ops'],
    ['Ada, room 2 <b>', 'Ask Ada, room 2 <b> for a link', undefined],
  ])('with OPERATOR_CONTACT=%p', async (OPERATOR_CONTACT, words, href) => {
    await using configured = await startService({ OPERATOR_CONTACT, REGISTRATION: 'closed' })
    const page = await (await configured.fetch('/sign-in')).text()
    expect(textOf(page, '.entrance .hint')).toContain(words)
    if (href !== undefined) expect(page).toContain(`href="${href}"`)
    expect((await configured.fetch('/sign-up')).status).toBe(403)
  })
})
