import { describe, expect, test } from 'bun:test'
import { reasonsBeside, valueIn } from '../../support/forms.ts'
import { elementsOf, textOf } from '../../support/markup.ts'
import { password, sameOrigin, signIn, signUp, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService()

describe('without a session', () => {
  test.each(['token', 'profile', 'password', 'sessions/end', 'delete'])(
    'POST /settings/%s sends to sign in, and back to no form',
    async (form) => {
      const response = await service.fetch(`/settings/${form}`, {
        method: 'POST',
        headers: sameOrigin,
        body: new URLSearchParams({ name: 'x' }),
      })
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe('/sign-in')
      expect(response.headers.getSetCookie()).toEqual([])
    },
  )
})

test('the settings list their panels and pages, each of which is there', async () => {
  const ada = await signUp(service)
  const page = await (await ada.get('/settings')).text()
  const [nav = ''] = /<nav aria-label="Settings">.*?<\/nav>/s.exec(page) ?? []
  const hrefs = elementsOf(nav).flatMap(({ attributes: { href } }) => href ?? [])
  expect(hrefs.length).toBeGreaterThan(7)
  const ids = elementsOf(page).map(({ attributes: { id } }) => id)
  for (const href of hrefs) {
    if (href.startsWith('#')) expect(ids).toContain(href.slice(1))
    else expect((await ada.get(href)).status).toBe(200)
  }
})

describe('what a form redirects with', () => {
  test.each([
    ['profile', 'Your display name is saved.'],
    ['password', 'Your password is changed, and you are signed out everywhere else.'],
    ['sessions', 'You are signed out everywhere else.'],
  ])('?done=%s says %p', async (done, notice) => {
    const page = await (await signUp(service)).get(`/settings?done=${done}`)
    expect(page.status).toBe(200)
    expect(textOf(await page.text(), '[role=status]')).toBe(notice)
  })

  test('anything else in ?done= says nothing', async () => {
    const person = await signUp(service)
    for (const done of ['', 'nothing', 'constructor', '__proto__', '%00', '%zz', '<b>', 'profile&done=']) {
      const page = await person.get(`/settings?done=${done}`)
      expect([done, page.status]).toEqual([done, 200])
      expect(textOf(await page.text(), '[role=status]')).toBe('')
    }
  })
})

describe('POST /settings/profile', () => {
  test('changes the display name everywhere, also on what was announced before', async () => {
    const poster = await signUpPoster(service)
    await poster.announce({ message: 'Before the rename' })
    const response = await poster.send('/settings/profile', { name: 'Grace <b>Hopper</b>' })
    expect(response.status).toBe(303)
    const settings = await (await poster.get('/settings')).text()
    expect(valueIn(settings, 'name')).toBe('Grace <b>Hopper</b>')
    const profile = await (await service.fetch(`/${poster.username}`)).text()
    expect(textOf(profile, 'h1')).toContain('Grace <b>Hopper</b>')
    const feed = await (await service.fetch('/')).text()
    expect(textOf(feed, '.meta > .quiet')).toContain('Grace <b>Hopper</b>')
    expect(profile).not.toContain('<b>Hopper')
  })

  test.each([
    ['', "can't be blank"],
    ['n'.repeat(61), 'at most 60'],
    ['reversed\u202e', 'direction'],
  ])('refuses %p, keeps what was typed, and shows that it %s', async (name, reason) => {
    const person = await signUp(service)
    const response = await person.send('/settings/profile', { name })
    expect(response.status).toBe(422)
    const page = await response.text()
    expect(reasonsBeside(page, 'name')).toContain(reason)
    expect(valueIn(page, 'name')).toBe(name)
    expect(valueIn(await (await person.get('/settings')).text(), 'name')).toBe(person.name)
  })

  test('changes no other account', async () => {
    const stranger = await signUp(service)
    await (await signUp(service)).send('/settings/profile', { name: 'Mine', username: stranger.username })
    expect(valueIn(await (await stranger.get('/settings')).text(), 'name')).toBe(stranger.name)
  })
})

describe('a form of the settings', () => {
  test.each([
    ['of more than 64 KiB is 413', 413, 'application/x-www-form-urlencoded', `name=${'x'.repeat(65_536)}`],
    ['of another media type is 415', 415, 'text/plain', 'name=x'],
    ['with a broken percent escape is 400', 400, 'application/x-www-form-urlencoded', 'name=%zz'],
    ['in invalid UTF-8 is 400', 400, 'application/x-www-form-urlencoded', 'name=%ff'],
  ])('%s, as a page', async (_, status, type, body) => {
    const person = await signUp(service)
    const response = await service.fetch('/settings/profile', {
      method: 'POST',
      body,
      headers: { Cookie: person.cookie, 'Content-Type': type, ...sameOrigin },
    })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  })
})

test('a session of one account opens the settings of that account alone', async () => {
  const [ada, bob] = [await signUp(service), await signUp(service)]
  const adaAgain = await signIn(service, ada)
  expect(await (await adaAgain.get('/settings')).text()).toContain(ada.username)
  expect(await (await adaAgain.get('/settings')).text()).not.toContain(bob.username)
  expect(await (await adaAgain.get('/settings')).text()).not.toContain(password)
})
