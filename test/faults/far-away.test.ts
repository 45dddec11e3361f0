import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sendForm } from '../support/forms.ts'
import { type Poster, password, signUpPoster } from '../support/people.ts'
import { type FaultyService, startFaultyService } from '../support/postgres/faulty-service.ts'

describe('200 ms from Postgres', () => {
  let faulty: FaultyService
  let poster: Poster
  let id: number

  beforeAll(async () => {
    faulty = await startFaultyService()
    poster = await signUpPoster(faulty.service)
    const announced = await poster.announce({ message: 'Near', url: 'https://example.com/a/b' })
    id = ((await announced.json()) as { id: number }).id
    faulty.proxy.set('far-away')
  })
  afterAll(async () => await faulty.close())

  type Ask = (poster: Poster) => Promise<Response>
  const rows: [what: string, status: number, ask: Ask][] = [
    ['the feed', 200, () => faulty.service.fetch('/')],
    ['a profile', 200, (ada) => ada.get(`/${ada.username}`)],
    ['the settings', 200, (ada) => ada.get('/settings')],
    ['announcing', 201, (ada) => ada.announce({ message: 'Far' })],
    ['signing in', 303, (ada) => sendForm(faulty.service, '/sign-in', { username: ada.username, password })],
    [
      'signing up',
      303,
      () => sendForm(faulty.service, '/sign-up', { username: 'far', name: 'Far', password }),
    ],
    ['rolling a token', 303, (ada) => ada.send('/settings/token', {})],
    ['withdrawing', 303, (ada) => ada.send(`/${ada.username}/${id}/delete`, {})],
    ['deleting an account', 303, (ada) => ada.send('/settings/delete', { username: ada.username, password })],
  ]

  test.each(rows)('%s goes on', async (_, status, ask) => {
    expect((await ask(poster)).status).toBe(status)
  })
})
