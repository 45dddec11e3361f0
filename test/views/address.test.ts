import { expect, test } from 'bun:test'
import {
  deploymentAddress,
  feedAddress,
  profileAddress,
  projectAddress,
} from '../../src/views/page/address.ts'
import { deployment } from './samples.ts'

test('the feed keeps its filter from page to page', () => {
  expect(feedAddress({})).toBe('/')
  expect(feedAddress({ before: 7 })).toBe('/?before=7')
  expect(feedAddress({ by: { category: 'bug_fix' }, before: 7 })).toBe('/?category=bug_fix&before=7')
})

test('a profile keeps both of its filters from page to page', () => {
  expect(profileAddress('ada', { target: null })).toBe('/ada')
  expect(
    profileAddress('ada', { target: 'github.com/ada/a&b', by: { category: 'feature' }, before: 7 }),
  ).toBe('/ada/github.com/ada/a&b?category=feature&before=7')
})

test('the permanent address of a deployment is under its poster', () => {
  expect(deploymentAddress(deployment())).toBe('/ada/412')
})

test.each([
  ['github.com/ada/engine', '/ada/github.com/ada/engine'],
  ['gitea.ada.dev/é', '/ada/gitea.ada.dev/%C3%A9'],
  ['gitea.ada.dev/a%2fb/(c)', '/ada/gitea.ada.dev/a%2fb/%28c%29'],
  ['[2001:db8::1]/a', '/ada/[2001:db8::1]/a'],
])('the address of the page of %s survives as a link', (target, address) => {
  expect(projectAddress('ada', target)).toBe(address)
})

test('the page of a day keeps its category from page to page', () => {
  const query = { target: null, by: { category: 'feature' }, on: '2026-11-02', before: 7 } as const
  expect(profileAddress('ada', query)).toBe('/ada?category=feature&on=2026-11-02&before=7')
})
