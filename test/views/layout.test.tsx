import { describe, expect, test } from 'bun:test'
import { Html } from '@elysiajs/html'
import { Layout } from '../../src/views/page/layout.tsx'
import { elementsOf, textOf } from '../support/markup.ts'
import { ada, site } from './samples.ts'

describe('the header', () => {
  test('offers a stranger to sign in and to create an account', () => {
    const links = linksOf(
      <Layout site={site} viewer={null} title="x">
        -
      </Layout>,
    )
    expect(links).toEqual(['#main', '/', '/', '/docs', '/sign-in', '/sign-up'])
  })

  test('offers no account where registration is closed', () => {
    const closed = { ...site, registrationOpen: false }
    const links = linksOf(
      <Layout site={closed} viewer={null} title="x">
        -
      </Layout>,
    )
    expect(links).toEqual(['#main', '/', '/', '/docs', '/sign-in'])
  })

  test('offers a user the own profile, the settings and a way out that is a form', () => {
    const page = (
      <Layout site={site} viewer={ada} title="x">
        -
      </Layout>
    )
    expect(linksOf(page)).toEqual(['#main', '/', '/', '/docs', '/ada', '/settings'])
    expect(elementsOf(page)).toContainEqual({
      name: 'form',
      attributes: { method: 'post', action: '/sign-out' },
    })
  })

  test('marks where one is', () => {
    const page = (
      <Layout site={site} viewer={ada} title="x" current="settings">
        -
      </Layout>
    )
    expect(textOf(page, '[aria-current="page"]')).toBe('Settings')
  })
})

test('the canonical address is on the public address', () => {
  const page = (
    <Layout site={site} viewer={null} title="x" canonical="/?category=feature">
      -
    </Layout>
  )
  expect(elementsOf(page)).toContainEqual({
    name: 'link',
    attributes: { rel: 'canonical', href: 'https://ship.example/?category=feature' },
  })
})

function linksOf(page: unknown) {
  return elementsOf(page).flatMap(({ name, attributes }) => (name === 'a' ? (attributes.href ?? []) : []))
}
