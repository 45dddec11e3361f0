import { expect, test } from 'bun:test'
import { hashSecret } from '../../../src/data/account/tokens.ts'
import { reasonsBeside, sendForm, valueIn } from '../../support/forms.ts'
import { age, spend } from '../../support/passwords.ts'
import type { Person } from '../../support/people.ts'
import { behindProxy, cookieOf, fromNewAddress, password, signIn, signUp } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService(behindProxy)

const newPassword = 'a brand new passphrase'

function change(person: Person, fields: Record<string, string>): Promise<Response> {
  const right = { current_password: password, new_password: newPassword }
  return person.send('/settings/password', { ...right, ...fields })
}

async function signInStatus(username: string, typed: string): Promise<number> {
  return (await sendForm(service, '/sign-in', { username, password: typed }, fromNewAddress())).status
}

test('the new password works from then on, and the old one no more', async () => {
  const person = await signUp(service)
  const response = await change(person, {})
  expect(response.status).toBe(303)
  expect(response.headers.get('location')).toBe('/settings?done=password')
  expect(await signInStatus(person.username, newPassword)).toBe(303)
  expect(await signInStatus(person.username, password)).toBe(422)
})

test('every session of the account ends; this browser gets a new one', async () => {
  const person = await signUp(service)
  const elsewhere = await signIn(service, person)
  const stranger = await signUp(service)
  const response = await change(person, {})
  const Cookie = cookieOf(response)
  expect(Cookie).not.toBe(person.cookie)
  expect((await person.get('/settings', { Cookie })).status).toBe(200)
  expect((await person.get('/settings')).status).toBe(303)
  expect((await elsewhere.get('/settings')).status).toBe(303)
  expect((await stranger.get('/settings')).status).toBe(200)
})

test.each([
  ['a wrong current password', 'current_password', 'not my password', 'is not your password'],
  ['no current password', 'current_password', '', 'is not your password'],
  ['the current one as the new one', 'new_password', password, 'is the current one'],
  ['a short new one', 'new_password', 'short', 'at least 10'],
  ['a new one that is too long', 'new_password', 'x'.repeat(1_025), 'at most 1024'],
  ['one of the most common', 'new_password', '1234567890', 'too easy to guess'],
])('%s is refused next to %s, and nothing changes', async (_, field, typed, reason) => {
  const person = await signUp(service)
  const elsewhere = await signIn(service, person)
  const response = await change(person, { [field]: typed })
  expect(response.status).toBe(422)
  expect(response.headers.getSetCookie()).toEqual([])
  const page = await response.text()
  expect(reasonsBeside(page, field)).toContain(reason)
  expect(valueIn(page, 'current_password')).toBe('')
  expect(valueIn(page, 'new_password')).toBe('')
  expect((await elsewhere.get('/settings')).status).toBe(200)
  expect(await signInStatus(person.username, password)).toBe(303)
})

test('the username is no password, in any case', async () => {
  const person = await signUp(service, { username: 'settings-own-name' })
  const page = await (await change(person, { new_password: 'Settings-Own-Name' })).text()
  expect(reasonsBeside(page, 'new_password')).toContain("can't be your username")
})

test('someone who finds an open session cannot guess the current password for ever', async () => {
  const person = await signUp(service)
  for (let n = 0; n < 10; n += 1) {
    expect((await change(person, { current_password: `guess number ${n}` })).status).toBe(422)
  }
  const refused = await change(person, {})
  expect(refused.status).toBe(422)
  expect(reasonsBeside(await refused.text(), 'current_password')).toContain(
    'was wrong too often. Try again in',
  )
  expect((await person.get('/settings')).status).toBe(200)

  await age(service.db, hashSecret(person.cookie.split('=')[1] ?? ''), '1 hour')
  expect((await change(person, {})).status).toBe(303)
})

test('an open session changes it whatever strangers guess', async () => {
  const person = await signUp(service)
  await spend(service.db, 'account', person.username, 100)
  expect((await change(person, {})).status).toBe(303)
})
