import { describe, expect, test } from 'bun:test'
import { assetAddresses } from '../../src/web/assets.ts'
import { rawRequest } from '../support/http.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService({ OPERATOR_CONTACT: 'ops@ship.example', REPORTS: 'on' })
const poster = await signUpPoster(service, { username: 'methods-poster' })
// Long enough for every list to be compressed.
const announced = await poster.announce({ message: `Methods ${'x'.repeat(2_000)}` })
const { id } = (await announced.json()) as { id: number }

/** docs/decisions.md#addresses: the path of the router, one address of it, and what it takes. */
const addresses: [route: string, path: string, allow: string][] = [
  ['/', '/', 'GET, HEAD'],
  ['/.well-known/security.txt', '/.well-known/security.txt', 'GET, HEAD'],
  ['/api', '/api', 'POST'],
  ['/api/check', '/api/check', 'POST'],
  ['/api/compare', '/api/compare', 'GET, HEAD'],
  ['/api/releases', '/api/releases?user=methods-poster&target=a.example', 'GET, HEAD'],
  ['/api/current', '/api/current?user=methods-poster', 'GET, HEAD'],
  ['/api/deployments', '/api/deployments', 'GET, HEAD'],
  ['/api/deployments/:id', '/api/deployments/ID', 'GET, HEAD, DELETE'],
  ['/api/history', '/api/history', 'POST, DELETE'],
  ['/api/in/:kind/:id', '/api/in/github/x', 'POST'],
  ['/api/deployments/live', '/api/deployments/live', 'GET, HEAD'],
  ['/api/token', '/api/token', 'GET, HEAD'],
  ['/assets/*', assetAddresses.css, 'GET, HEAD'],
  ['/badge/:file', '/badge/methods-poster.svg', 'GET, HEAD'],
  ['/badge/:file/*', '/badge/methods-poster/a.example.svg', 'GET, HEAD'],
  ['/ci/announce.sh', '/ci/announce.sh', 'GET, HEAD'],
  ['/ci/gitlab.yml', '/ci/gitlab.yml', 'GET, HEAD'],
  ['/ci/history.sh', '/ci/history.sh', 'GET, HEAD'],
  ['/docs', '/docs', 'GET, HEAD'],
  ['/apple-touch-icon.png', '/apple-touch-icon.png', 'GET, HEAD'],
  ['/favicon.ico', '/favicon.ico', 'GET, HEAD'],
  ['/favicon.svg', '/favicon.svg', 'GET, HEAD'],
  ['/feed/live', '/feed/live', 'GET, HEAD'],
  ['/feed.atom', '/feed.atom', 'GET, HEAD'],
  ['/feed.json', '/feed.json', 'GET, HEAD'],
  ['/:username/feed.atom', '/methods-poster/feed.atom', 'GET, HEAD'],
  ['/:username/feed.json', '/methods-poster/feed.json', 'GET, HEAD'],
  ['/environments', '/environments', 'GET, HEAD'],
  ['/healthz', '/healthz', 'GET, HEAD'],
  ['/oembed', '/oembed?url=http://shipfeed.test/methods-poster/a.example/b', 'GET, HEAD'],
  ['/openapi.json', '/openapi.json', 'GET, HEAD'],
  ['/password', '/password', 'GET, HEAD, POST'],
  ['/readyz', '/readyz', 'GET, HEAD'],
  ['/robots.txt', '/robots.txt', 'GET, HEAD'],
  ['/settings', '/settings', 'GET, HEAD'],
  ['/settings/delete', '/settings/delete', 'POST'],
  ['/settings/export', '/settings/export', 'GET, HEAD'],
  ['/settings/intakes', '/settings/intakes', 'GET, HEAD, POST'],
  ['/settings/intakes/:id', '/settings/intakes/x', 'GET, HEAD'],
  ...['filter', 'pause', 'resume', 'delete'].map((what): [string, string, string] => [
    `/settings/intakes/:id/${what}`,
    `/settings/intakes/x/${what}`,
    'POST',
  ]),
  ['/settings/password', '/settings/password', 'POST'],
  ['/settings/profile', '/settings/profile', 'POST'],
  ['/settings/environment-order', '/settings/environment-order', 'POST'],
  ['/settings/projects', '/settings/projects', 'GET, HEAD, POST'],
  ['/settings/projects/separate', '/settings/projects/separate', 'POST'],
  ['/settings/history/delete', '/settings/history/delete', 'POST'],
  ['/settings/sessions/end', '/settings/sessions/end', 'POST'],
  ['/settings/checklist', '/settings/checklist', 'POST'],
  ['/settings/token', '/settings/token', 'POST'],
  ['/settings/tokens', '/settings/tokens', 'GET, HEAD, POST'],
  ['/settings/tokens/:id/roll', '/settings/tokens/1/roll', 'POST'],
  ['/settings/tokens/:id/end', '/settings/tokens/1/end', 'POST'],
  ['/sign-in', '/sign-in', 'GET, HEAD, POST'],
  ['/sign-out', '/sign-out', 'POST'],
  ['/sign-up', '/sign-up', 'GET, HEAD, POST'],
  ['/:username', '/methods-poster', 'GET, HEAD'],
  ['/:username/*', '/methods-poster/a.example/b', 'GET, HEAD'],
  ['/:username/-/environments', '/methods-poster/-/environments', 'GET, HEAD'],
  ['/:username/badge', '/methods-poster/badge', 'GET, HEAD'],
  ['/:username/:id', '/methods-poster/ID', 'GET, HEAD'],
  ['/card.png', '/card.png', 'GET, HEAD'],
  ['/:username/card.png', '/methods-poster/card.png', 'GET, HEAD'],
  ['/:username/year.svg', '/methods-poster/year.svg', 'GET, HEAD'],
  ['/:username/:id/card.png', '/methods-poster/ID/card.png', 'GET, HEAD'],
  ['/status', '/status', 'GET, HEAD'],
  ['/wall', '/wall', 'GET, HEAD'],
  ['/:username/:id/report', '/methods-poster/ID/report', 'GET, HEAD, POST'],
  ['/:username/:id/delete', '/methods-poster/ID/delete', 'POST'],
]

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']

test('the table knows every path of the router', () => {
  expect(addresses.map(([route]) => route).sort()).toEqual(service.paths.toSorted())
})

test.each(addresses)(
  '%s, such as %s, takes %s, and every other method is 405 and told so',
  async (_, path, allow) => {
    for (const method of methods.filter((method) => !allow.split(', ').includes(method))) {
      const { status, text } = await rawRequest(service, { method, path: path.replace('ID', String(id)) })
      expect([method, status]).toEqual([method, 405])
      expect(text).toContain(`\r\nAllow: ${allow}\r\n`)
      const body = text.slice(text.indexOf('\r\n\r\n') + 4)
      expect([method, body === '']).toEqual([method, method === 'HEAD'])
    }
  },
)

const readable = addresses.filter(([, , allow]) => allow.includes('GET')).map(([, path]) => path)
// A stream of events never ends, so there is nothing to compare.
const ending = readable.filter((path) => !path.endsWith('/live'))

describe('what is compressed says so to caches, whichever form they ask for', () => {
  test.each(ending)('%s', async (path) => {
    const ask = (coding: string) => {
      const asItTravels: BunFetchRequestInit = { headers: { 'Accept-Encoding': coding }, decompress: false }
      return fetch(service.url + path.replace('ID', String(id)), asItTravels)
    }
    const compressed = await ask('gzip')
    if (!compressed.headers.has('content-encoding')) return
    for (const { headers } of [compressed, await ask('identity')]) {
      expect(headers.get('vary')).toContain('Accept-Encoding')
      // One tag for two forms may only be a weak one.
      expect(headers.get('etag') ?? 'W/').toStartWith('W/')
    }
  })
})

describe('HEAD is GET without a body', () => {
  const failing = ['/methods-nobody', '/no/such/page', '/badge/x_y.svg', '/badge/x.json', '/?before=x']

  test.each([...ending, ...failing])('%s, signed in and not', async (path) => {
    for (const headers of [{}, { Cookie: poster.cookie }]) {
      const address = path.replace('ID', String(id))
      const before = await service.fetch(address, { headers })
      // To its end: a user has one export at a time.
      await before.arrayBuffer()
      const head = await service.fetch(address, { method: 'HEAD', headers })
      const after = await service.fetch(address, { headers })
      expect(head.status).toBe(before.status)
      // A page tells ages, so its length may change at any second.
      expect([headersOf(before), headersOf(after)]).toContainEqual(headersOf(head))
      expect(await head.text()).toBe('')
    }
  })
})

function headersOf({ headers }: Response): Record<string, string> {
  return Object.fromEntries([...headers].filter(([name]) => name !== 'date'))
}
