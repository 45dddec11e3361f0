import { expect, test } from 'bun:test'
import { deploymentAddress, feedAddress, profileAddress } from '../../src/views/page/address.ts'
import { deployment } from './samples.ts'

test('the feed keeps its filter from page to page', () => {
  expect(feedAddress({ category: null })).toBe('/')
  expect(feedAddress({ category: null, before: 7 })).toBe('/?before=7')
  expect(feedAddress({ category: 'bug_fix', before: 7 })).toBe('/?category=bug_fix&before=7')
})

test('a profile keeps both of its filters from page to page', () => {
  expect(profileAddress('ada', { target: null, category: null })).toBe('/ada')
  expect(profileAddress('ada', { target: 'github.com/ada/a&b', category: 'feature', before: 7 })).toBe(
    '/ada?target=github.com%2Fada%2Fa%26b&category=feature&before=7',
  )
})

test('a deployment has its permanent address under its poster', () => {
  expect(deploymentAddress(deployment())).toBe('/ada/412')
})
