import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import type { Deployment } from '../../../src/domain/deployment.ts'
import { DeploymentPage } from '../../../src/views/deployment/deployment-page.tsx'
import { elementsOf, textOf } from '../../support/markup.ts'
import { deployment, now, site } from '../samples.ts'

const alone = { site, now, viewer: null, target: null, before: null, after: null, token: null }
const pageOf = (facts: Partial<Deployment>) => (
  <DeploymentPage {...alone} deployment={deployment({ url: null, ...facts })} />
)

describe('the preview of a shared link', () => {
  test.each([
    ['lines and spaces are drawn together', ' feat: a\tb\r\n\r\n c\n  d', 'feat: a b', 'c d'],
    ['what is long is cut between characters', `a\n${'🚀'.repeat(201)}`, 'a', `${'🚀'.repeat(155)}…`],
    ['120 characters of a title are whole', '✨'.repeat(120), '✨'.repeat(120), ''],
    ['121 are cut', `${'🚀'.repeat(121)}`, `${'🚀'.repeat(120)}…`, ''],
  ])('has the first line, the poster and the date, and the rest: %s', (_, message, title, rest) => {
    const page = pageOf({ message })
    expect(property(page, 'og:title')).toBe(title)
    expect(property(page, 'og:description')).toBe(
      `Ada Lovelace deployed this on 12 March 2026.${rest && ' '}${rest}`,
    )
  })
})

function property(page: unknown, name: string) {
  return elementsOf(page).find(({ attributes }) => attributes.property === name)?.attributes.content
}

test('a long message is whole on its own page, and its addresses are links', () => {
  const body = `x${'\nx'.repeat(100)}\nhttps://ada.dev/notes`
  const page = pageOf({ message: `fix: it\n\n${body}` })
  expect([textOf(page, 'h1'), textOf(page, '.prose').trim()]).toEqual(['fix: it', body])
  expect(textOf(page, '.prose a')).toBe('https://ada.dev/notes')
  expect(textOf(page, 'article summary')).toBe('')
})

test('what a commit says for programs is folded', () => {
  const page = pageOf({
    message: 'Merge pull request #12 from ada/dates\n\n# Dates\n\n*On* time.\n\nSigned-off-by: Ada <a@b.c>\n',
  })
  expect([textOf(page, 'h1'), textOf(page, '.prose').trim()]).toEqual(['Dates (#12)', 'On time.'])
  expect(textOf(page, 'details.trailers p')).toBe(
    'Merge pull request #12 from ada/dates\nSigned-off-by: Ada <a@b.c>',
  )
})

const hash = 'a89852a4c1d2e3f4a5b6c7d8e9f0a1b2c3d4e5f6'

test.each([
  [`https://github.com/ada/engine/commit/${hash}`, 'ada/engine a89852a on github.com'],
  ['https://www.gitlab.com/a/b/c/-/merge_requests/7', 'a/b/c #7 on gitlab.com'],
  ['https://codeberg.org/ada/engine', 'ada/engine on codeberg.org'],
  ['https://ci.ada.dev:8080/builds/%C3%A9?x=1#y', 'ci.ada.dev:8080/builds/é?x=1#y'],
  ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
])('the link %s is named "%s"', (url, name) => {
  expect(textOf(pageOf({ url }), '.to-link')).toBe(name)
})
