import { expect, test } from 'bun:test'
import { Unavailable } from '../../src/database/errors.ts'
import { answerKinds, kindHeaders } from '../support/answer-kinds.ts'
import { failingDatabase } from '../support/database.ts'
import { elementsOf, textOf } from '../support/markup.ts'
import { sameOrigin } from '../support/people.ts'
import { useService } from '../support/service.ts'

const services = {
  well: await useService(),
  broken: await useService({}, failingDatabase(new Error('boom'))),
  away: await useService({}, failingDatabase(new Unavailable('down'))),
}

const form = { method: 'POST', headers: sameOrigin }
const text = { ...form, headers: { ...sameOrigin, 'Content-Type': 'text/plain' } }

test.each([
  [400, 'well', '/?category=none', {}, 'That request can’t be read'],
  [403, 'well', '/sign-in', { method: 'POST' }, 'That is not allowed'],
  [404, 'well', '/nobody-at-all', {}, 'There is nothing here'],
  [404, 'well', '/nobody-at-all/1', {}, 'There is nothing here'],
  [404, 'well', '/no/such/page', {}, 'There is nothing here'],
  [404, 'well', '/assets/none', {}, 'There is nothing here'],
  [404, 'well', '/password?link=used', {}, 'This link no longer works'],
  [405, 'well', '/docs', { method: 'PUT' }, 'That method doesn’t work here'],
  [
    413,
    'well',
    '/sign-up',
    { ...form, body: new URLSearchParams({ name: 'x'.repeat(70_000) }) },
    'That is too large',
  ],
  [415, 'well', '/sign-up', { ...text, body: 'x' }, 'That kind of body can’t be read'],
  [500, 'broken', '/', {}, 'Something broke on our side'],
  [503, 'away', '/', {}, 'Back in a moment'],
] as const)(
  '%i is a page that says what happened, and leads on: %s %s',
  async (status, service, path, init, title) => {
    const response = await services[service].fetch(path, init)
    expect(response.status).toBe(status)
    expect(kindHeaders('own page', response)).toEqual(answerKinds['own page'])
    const page = await response.text()
    expect(textOf(page, 'h1')).toBe(title)
    expect(textOf(page, '.problem .status')).toBe(String(status))
    expect(textOf(page, '.problem p:not(.status)').length).toBeGreaterThan(30)
    const links = elementsOf(page).flatMap(({ attributes }) => attributes.href ?? [])
    expect(links).toEqual(expect.arrayContaining(['/', '/docs']))
    expect(page).toContain('<meta name="robots" content="noindex"')
  },
)
