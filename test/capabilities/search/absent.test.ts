import { expect, test } from 'bun:test'
import { capabilities } from '../../../src/capabilities.ts'
import { textOf } from '../../support/markup.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const others = capabilities.filter(({ name }) => name !== 'search')
const service = await useService({}, null, 0, others)
const ada = await signUpPoster(service)
await ada.announce({ message: 'fix: cache' })

const read = async (path: string) => await (await service.fetch(path)).text()

test.each([
  ['/', 'The feed takes no "q", only "category", "env", "actor", "from", "to" and "before".'],
  ['/feed/live', 'This stream takes no "q", only "user", "category", "env", "actor", "target" and "after".'],
  ['/feed.atom', 'The feed takes no "q", only "category", "env", "actor", "from", "to" and "before".'],
  ['/api/deployments', 'This list takes no "q", only "user", "category", "target", "env", '],
  [
    '/api/deployments/live',
    'This stream takes no "q", only "user", "category", "env", "actor", "target" and "after".',
  ],
  [
    `/${ada.username}`,
    'A profile takes no "q", only "category", "env", "actor", "target", "on", "year", "from", "to" and "before".',
  ],
])('without the search, %s refuses ?q= and points nowhere', async (path, said) => {
  const answer = await service.fetch(`${path}?q=cache`)
  expect(answer.status).toBe(400)
  const body = await answer.text()
  const advice = body.startsWith('{') ? JSON.parse(body).message : textOf(body, '#advice').trim()
  expect(advice).toContain(said)
  expect(advice).not.toMatch(/search/i)
  expect(body).not.toContain('name="q"')
})

test('the feed then has its categories and no trace of a search', async () => {
  const page = await read('/')
  expect(page).toContain('fix')
  expect(page).toContain('href="/?category=bug_fix"')
  expect(page.match(/search|name="q"/gi)).toBeNull()
  expect(page).toContain('Keyboard shortcuts')
})

test('the API then describes no search', async () => {
  const document = await read('/openapi.json')
  expect(document.match(/"name":"q"|with q\b|\bsearch\b/gi)).toBeNull()
})
