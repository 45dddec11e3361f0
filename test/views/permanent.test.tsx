import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { DeploymentPage } from '../../src/views/deployment/page.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { ada, deployment, grace, now, site } from './samples.ts'

const withdrawal = { name: 'form', attributes: { method: 'post', action: '/ada/412/delete' } }

test('the owner can withdraw a deployment', () => {
  const page = <DeploymentPage site={site} viewer={ada} now={now} deployment={deployment()} />
  expect(elementsOf(page)).toContainEqual(withdrawal)
})

test.each([
  ['a stranger', null],
  ['another user', grace],
])('%s cannot', (_, viewer) => {
  const page = <DeploymentPage site={site} viewer={viewer} now={now} deployment={deployment()} />
  expect(elementsOf(page)).not.toContainEqual(withdrawal)
})

test.each([
  ['lines and spaces are drawn together', ' a\r\n\tb  c\n', 'a b c'],
  ['200 characters are whole', '✨'.repeat(200), '✨'.repeat(200)],
  ['201 characters are cut between characters', '🚀'.repeat(201), `${'🚀'.repeat(200)}…`],
])('in the preview of a shared link, %s', (_, message, description) => {
  const page = <DeploymentPage site={site} viewer={null} now={now} deployment={deployment({ message })} />
  expect(property(page, 'og:description')).toBe(description)
})

test('a shared link previews its poster and its address', () => {
  const page = <DeploymentPage site={site} viewer={null} now={now} deployment={deployment()} />
  expect(property(page, 'og:title')).toBe('Deployment by Ada Lovelace')
  expect(property(page, 'og:url')).toBe('https://ship.example/ada/412')
  expect(property(page, 'og:type')).toBe('article')
  expect(property(page, 'og:site_name')).toBe('Shipfeed')
  const names = elementsOf(page).map(({ attributes }) => [attributes.name, attributes.content])
  expect(names).toContainEqual(['twitter:card', 'summary'])
})

function property(page: unknown, name: string) {
  return elementsOf(page).find(({ attributes }) => attributes.property === name)?.attributes.content
}

test('a long message is whole on its own page', () => {
  const message = 'x\n'.repeat(100)
  const page = <DeploymentPage site={site} viewer={null} now={now} deployment={deployment({ message })} />
  expect(textOf(page, '.message')).toBe(message)
  expect(textOf(page, 'summary')).toBe('')
})
