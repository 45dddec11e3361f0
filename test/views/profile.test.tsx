import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { ProfilePage } from '../../src/views/profile.tsx'
import { elementsOf, textOf } from './markup.ts'
import { ada, deployment, grace, now, site } from './samples.ts'

const profile = {
  site,
  viewer: null,
  now,
  user: ada,
  since: new Date('2025-03-31T23:59:59Z'),
  category: null,
  target: null,
  deployments: [deployment()],
  older: null,
  seen: 412,
}

test('a profile says who ships and since when', () => {
  const page = <ProfilePage {...profile} />
  expect(textOf(page, 'h1')).toBe('Ada Lovelace')
  expect(textOf(page, '.who .hint')).toBe('@ada · shipping since March 2025')
})

test('the badge is shown in its three styles', () => {
  const pictures = elementsOf(<ProfilePage {...profile} />).filter(({ name }) => name === 'img')
  expect(pictures.map(({ attributes }) => attributes.src)).toEqual([
    '/badge/ada.svg',
    '/badge/ada.svg',
    '/badge/ada.svg?style=square',
    '/badge/ada.svg?style=dot',
  ])
})

test('the embeds are the specification’s shapes, on the public address', () => {
  expect(textOf(<ProfilePage {...profile} />, 'pre code')).toBe(
    '[![Last deployment](https://ship.example/badge/ada.svg)](https://ship.example/ada)' +
      '<img src="https://ship.example/badge/ada.svg" alt="Last deployment" height="20">',
  )
})

test('each filter keeps the other', () => {
  const page = <ProfilePage {...profile} category="bug_fix" target="example.com" />
  const links = elementsOf(page).flatMap(({ attributes }) => attributes.href ?? [])
  expect(links).toContain('/ada?target=example.com&category=feature')
  expect(links).toContain('/ada?target=example.com')
  expect(links).toContain('/ada?category=bug_fix')
  expect(textOf(page, '.pill[aria-current]')).toBe('Bug fixes')
})

test.each([
  ['another user’s', { viewer: grace }, 'They appear here as soon as a pipeline announces one.'],
  ['the own', { viewer: ada }, 'Your settings hold the token and the command that announce one.'],
  ['a filtered', { viewer: ada, target: 'example.com' }, 'Show all deployments'],
])('%s empty profile says what to do next', (_, props, advice) => {
  expect(textOf(<ProfilePage {...profile} {...props} deployments={[]} />, '.empty p')).toContain(advice)
})
