import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { DeploymentPage } from '../../src/views/deployment/page.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { deployment, now, site } from './samples.ts'

test.each([
  ['lines and spaces are drawn together', ' a\r\n\tb  c\n', 'a b c'],
  ['200 characters are whole', '✨'.repeat(200), '✨'.repeat(200)],
  ['201 characters are cut between characters', '🚀'.repeat(201), `${'🚀'.repeat(200)}…`],
])('in the preview of a shared link, %s', (_, message, description) => {
  const page = <DeploymentPage site={site} viewer={null} now={now} deployment={deployment({ message })} />
  expect(property(page, 'og:description')).toBe(description)
})

function property(page: unknown, name: string) {
  return elementsOf(page).find(({ attributes }) => attributes.property === name)?.attributes.content
}

test('a long message is whole on its own page', () => {
  const message = `x${'\nx'.repeat(100)}`
  const page = <DeploymentPage site={site} viewer={null} now={now} deployment={deployment({ message })} />
  expect(textOf(page, '.message')).toBe(message)
  expect(textOf(page, 'summary')).toBe('')
})
