import { describe, expect, test } from 'bun:test'
import { elementsOf } from '../support/markup.ts'
import { useService } from '../support/service.ts'

const service = await useService()
const page = await (await service.fetch('/docs')).text()
const addresses = elementsOf(page)
  .filter(({ name, attributes }) => name === 'script' || /stylesheet/.test(attributes.rel ?? ''))
  .map(({ attributes }) => attributes.src ?? attributes.href ?? '')

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
}

describe('A file that a page loads', () => {
  test('is ours, may be cached forever, and has the right type', async () => {
    expect(addresses.length).toBeGreaterThanOrEqual(2)
    for (const address of addresses) {
      const [, extension = ''] = /^\/assets\/[0-9a-z]{8,}\/[\w-]+\.(css|js)$/.exec(address) ?? []
      const response = await service.fetch(address)
      expect([address, response.status]).toEqual([address, 200])
      expect(response.headers.get('content-type')).toBe(types[extension] ?? 'none')
      expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(response.headers.has('set-cookie')).toBe(false)
    }
  })

  test('is named by the page: no script imports another', async () => {
    const scripts = addresses.filter((address) => address.endsWith('.js'))
    expect(scripts).toHaveLength(2)
    for (const address of scripts) {
      expect(await (await service.fetch(address)).text()).not.toMatch(/^(import|export) /m)
    }
  })

  test('has a hash of the content in its address; with another hash it is ours, and not cached', async () => {
    for (const address of addresses) {
      // During an upgrade, a page of one process asks another one for its files.
      const ofOthers = await service.fetch(address.replace(/[0-9a-z]{8,}/, '0'))
      expect(ofOthers.status).toBe(200)
      expect(ofOthers.headers.get('cache-control')).toBe('no-store')
      expect(await ofOthers.text()).toBe(await (await service.fetch(address)).text())
      const other = address.replace(/[0-9a-z]{8,}\//, '')
      expect([other, (await service.fetch(other)).status]).toEqual([other, 404])
    }
  })

  test.each([
    ...['/assets/', '/assets/site.css', '/assets/__proto__', '/assets/..%2f..%2fpackage.json'],
    ...['/assets/../package.json', '/assets/%2e%2e/src/main.ts', '/assets//etc/passwd', '/assets/%00'],
    ...['/static/site.css', '/package.json', '/src/main.ts', '/.env'],
  ])('nothing else is served: %s', async (path) => {
    expect((await service.fetch(path)).status).toBe(404)
  })
})

test.each([
  ['/favicon.svg', 'image/svg+xml; charset=utf-8', '<svg'],
  ['/favicon.ico', 'image/png', '\ufffdPNG'],
  ['/apple-touch-icon.png', 'image/png', '\ufffdPNG'],
  ['/robots.txt', 'text/plain; charset=utf-8', 'User-agent: *'],
])('%s is served, and may be cached for a day', async (path, type, beginning) => {
  const response = await service.fetch(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe(type)
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(await response.text()).toStartWith(beginning)
})
