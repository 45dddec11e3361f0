import { expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import type { PartOfFeed } from '../../src/views/page/address.ts'
import { Layout } from '../../src/views/page/layout.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { ada, site } from './samples.ts'

const page = (props: Partial<Parameters<typeof Layout>[0]>) => (
  <Layout site={site} viewer={null} title="x" {...props}>
    -
  </Layout>
)

const foot = ['/docs', '/environments', '/feed.atom', '/feed.json', '/wall', '/status']

test('the header offers visitors to sign in, and to create an account if sign-up is open', () => {
  expect(linksOf(page({}))).toEqual([
    '#main',
    '/',
    '/',
    '/environments',
    '/docs',
    '/sign-in',
    '/sign-up',
    ...foot,
  ])
  const closed = { ...site, registrationOpen: false }
  expect(linksOf(page({ site: closed }))).toEqual([
    '#main',
    '/',
    '/',
    '/environments',
    '/docs',
    '/sign-in',
    ...foot,
  ])
})

test('the header offers users their profile, the settings and a form to sign out', () => {
  const own = page({ viewer: ada, current: 'settings' })
  expect(linksOf(own)).toEqual(['#main', '/', '/', '/environments', '/docs', '/ada', '/settings', ...foot])
  expect(elementsOf(own)).toContainEqual({
    name: 'form',
    attributes: { method: 'post', action: '/sign-out' },
  })
  expect(textOf(own, '[aria-current="page"]')).toBe('Settings')
})

test('the footer links to the feeds of the page, and to the source if it is known', () => {
  const feeds = { username: 'ada', by: { category: 'feature' }, target: null } as const
  const links = linksOf(page({ feeds, site: { ...site, sourceUrl: 'https://git.ship.example/' } }))
  expect(links.slice(-5)).toEqual([
    ...['/ada/feed.atom?category=feature', '/ada/feed.json?category=feature'],
    ...['/wall?user=ada&category=feature', '/status'],
    'https://git.ship.example/',
  ])
})

test('a list of an environment links to its wallboard, and a search to none', () => {
  const part = { username: 'ada', target: null }
  const wallsOf = (feeds: PartOfFeed) => linksOf(page({ feeds })).filter((link) => link.startsWith('/wall'))
  expect(wallsOf({ ...part, by: { environment: 'production' } })).toEqual(['/wall?user=ada&env=production'])
  expect(wallsOf({ ...part, username: null, q: 'cache' })).toEqual([])
})

test('the canonical address is under the public address', () => {
  expect(elementsOf(page({ canonical: '/?category=feature' }))).toContainEqual({
    name: 'link',
    attributes: { rel: 'canonical', href: 'https://ship.example/?category=feature' },
  })
})

function linksOf(page: unknown) {
  return elementsOf(page).flatMap(({ name, attributes }) => (name === 'a' ? (attributes.href ?? []) : []))
}
