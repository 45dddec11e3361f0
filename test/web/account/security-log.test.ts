import { expect, test } from 'bun:test'
import { sendForm } from '../../support/forms.ts'
import { spend } from '../../support/passwords.ts'
import { behindProxy, fromNewAddress, password, signUp } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService(behindProxy)

test('what happens to accounts is logged: whose they are and from where, never with a secret', async () => {
  const from = fromNewAddress()
  const address = from['X-Forwarded-For']
  const newPassword = 'a brand new passphrase'
  const person = await signUp({
    fetch: (path, init) =>
      service.fetch(path, { ...init, headers: { ...(init?.headers as object), ...from } }),
  })
  const user = person.username
  await person.send('/settings/token', {}, from)
  await person.send(
    '/settings/password',
    { current_password: 'wrong-secret', new_password: newPassword },
    from,
  )
  await person.send('/settings/sessions/end', {}, from)
  await person.send('/sign-out', {}, from)
  const signIn = (username: string, typed: string) =>
    sendForm(service, '/sign-in', { username, password: typed }, from)
  await signIn(user, 'wrong-secret')
  await signIn('typed-secret', 'wrong-secret')
  const signedIn = await signIn(user, password)
  const Cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const changed = { current_password: password, new_password: newPassword }
  const again = await person.send('/settings/password', changed, { Cookie, ...from })
  const owner = { Cookie: again.headers.getSetCookie()[0]?.split(';')[0] ?? '', ...from }
  await person.send('/settings/delete', { username: user, password: newPassword }, owner)
  await service.fetch('/sign-in', { method: 'POST', headers: { 'Sec-Fetch-Site': 'cross-site', ...from } })
  await spend(service.db, 'address', address ?? '', 20)
  await signIn(user, password)
  await signIn(user, password)

  const logged = service.events.map((line) => JSON.parse(line))
  expect(logged.map((line) => [line.event, line.user, line.path])).toEqual([
    ['signed_up', user, '/sign-up'],
    ['token_rolled', user, '/settings/token'],
    ['password_refused', user, '/settings/password'],
    ['sessions_ended', user, '/settings/sessions/end'],
    ['signed_out', user, '/sign-out'],
    ['sign_in_failed', user, '/sign-in'],
    ['sign_in_failed', undefined, '/sign-in'],
    ['signed_in', user, '/sign-in'],
    ['password_changed', user, '/settings/password'],
    ['account_deleted', user, '/settings/delete'],
    ['form_refused', undefined, '/sign-in'],
    ['sign_in_throttled', undefined, '/sign-in'],
  ])
  expect(logged.every((line) => line.address === address && Date.parse(line.at) > 0)).toBe(true)
  const secrets = [password, newPassword, 'wrong-secret', 'typed-secret', Cookie.split('=')[1] ?? '', 'ship_']
  for (const secret of secrets) expect(service.events.join()).not.toContain(secret)
})

test.each([
  ['X-Forwarded-For', '10.0.0.1'],
  ['Forwarded', 'for=10.0.0.1;proto=https'],
  ['X-Real-IP', '10.0.0.1'],
])('%s is logged once while TRUSTED_PROXIES is empty, with advice', async (name, value) => {
  await using unaware = await startService()
  await sendForm(unaware, '/sign-in', { username: 'nobody', password })
  expect(unaware.logged).toEqual([])
  for (let n = 0; n < 3; n += 1) {
    await sendForm(unaware, '/sign-in', { username: `nobody-${n}`, password }, { [name]: value })
  }
  expect(unaware.logged.map((line) => JSON.parse(line).message)).toEqual([
    expect.stringContaining(`127.0.0.1 sends ${name}, but TRUSTED_PROXIES is empty, so `),
  ])
  await sendForm(service, '/sign-in', { username: 'nobody', password }, { [name]: value })
  expect(service.logged).toEqual([])
})
