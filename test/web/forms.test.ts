import { describe, expect, test } from 'bun:test'
import { hashSecret } from '../../src/data/account/tokens.ts'
import { reasonsBeside, sendForm, valueIn } from '../support/forms.ts'
import { elementsOf, textOf } from '../support/markup.ts'
import { age, spend } from '../support/passwords.ts'
import { behindProxy, fromNewAddress, password, signUp } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService({ ...behindProxy, SIGN_UPS_PER_HOUR: '1' })

const htmx = { 'HX-Request': 'true' }

/** Signs up somebody whose address counts for nobody else. */
const somebody = () =>
  signUp({
    fetch: (path, init) =>
      service.fetch(path, {
        ...init,
        headers: { ...(init?.headers as Record<string, string>), ...fromNewAddress() },
      }),
  })

describe('a form that leads to another page, sent by htmx,', () => {
  test('of sign-up and sign-in goes to the settings as a whole, with the session', async () => {
    const { username } = await somebody()
    const signedIn = await sendForm(
      service,
      '/sign-in',
      { username, password },
      { ...htmx, ...fromNewAddress() },
    )
    const account = { username: `${username}-2`, name: 'Two', password }
    const signedUp = await sendForm(service, '/sign-up', account, { ...htmx, ...fromNewAddress() })
    for (const answer of [signedIn, signedUp]) {
      expect(answer.status).toBe(204)
      expect(answer.headers.get('hx-redirect')).toBe('/settings')
      expect(answer.headers.get('location')).toBeNull()
      expect(answer.headers.get('cache-control')).toBe('no-store')
      expect(answer.headers.getSetCookie().join()).toMatch(/^session=[\w-]{43};/)
    }
  })

  test('of sign-in goes back to the page that led to it', async () => {
    const { username } = await somebody()
    const fields = { username, password, next: '/settings/export' }
    const answer = await sendForm(service, '/sign-in', fields, { ...htmx, ...fromNewAddress() })
    expect(answer.headers.get('hx-redirect')).toBe('/settings/export')
  })

  test('of a deleted account goes to sign in, signed out', async () => {
    const person = await somebody()
    const answer = await person.send('/settings/delete', { username: person.username, password }, htmx)
    expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([204, '/sign-in?done=deleted'])
    expect(answer.headers.getSetCookie().join()).toMatch(/^session=; .*Max-Age=0/)
  })

  test('without a session goes to sign in', async () => {
    const answer = await sendForm(service, '/settings/profile', { name: 'x' }, htmx)
    expect([answer.status, answer.headers.get('hx-redirect')]).toEqual([204, '/sign-in'])
  })
})

describe('too often', () => {
  test('a sign-up keeps what was typed but the password, and says how long to wait', async () => {
    const from = fromNewAddress()
    const account = { username: 'first-of-two', name: 'First', password }
    expect((await sendForm(service, '/sign-up', account, from)).status).toBe(303)
    const typed = { username: 'Second-Of-Two', name: 'Second "of" two', password }
    const answer = await sendForm(service, '/sign-up', typed, from)
    expect(answer.status).toBe(429)
    const page = await answer.text()
    expect(textOf(page, '.problem-note')).toBe(
      'Too many accounts were created from your address. Try again in 60 minutes.',
    )
    expect([valueIn(page, 'username'), valueIn(page, 'name'), valueIn(page, 'password')]).toEqual([
      typed.username,
      typed.name,
      '',
    ])
  })

  test('a wrong password is refused next to its field, with the time to wait', async () => {
    const person = await somebody()
    const sessionHash = hashSecret(person.cookie.split('=')[1] ?? '')
    await spend(service.db, 'session', sessionHash, 10)
    await age(service.db, sessionHash, '30 minutes')
    const fields = { current_password: 'not this one', new_password: 'a brand new passphrase' }
    const answer = await person.send('/settings/password', fields)
    expect(answer.status).toBe(422)
    expect(reasonsBeside(await answer.text(), 'current_password')).toBe(
      'was wrong too often. Try again in 30 minutes',
    )
  })
})

/** After these forms, the whole page is another one. */
const loadThePage = ['/', '/sign-out', '/settings/checklist']

test('every form is whole without JavaScript, and htmx sends it to the same address', async () => {
  const person = await somebody()
  const pages = [
    await service.fetch('/sign-in'),
    await service.fetch('/sign-up'),
    await person.get('/settings'),
  ]
  const forms = (await Promise.all(pages.map((page) => page.text())))
    .flatMap(elementsOf)
    .filter(({ name, attributes }) => name === 'form' && !loadThePage.includes(attributes.action ?? ''))
  expect(forms.length).toBeGreaterThan(5)
  for (const { attributes } of forms) {
    expect(attributes.method).toBe('post')
    expect(attributes['hx-post']).toBe(attributes.action ?? 'no action')
  }
})
