import { describe, expect, test } from 'bun:test'
import { facetParameters } from '../../src/domain/feed/facets.ts'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
const { announce, username } = await signUpPoster(service)
await announce({ message: 'x', url: 'https://github.com/ada/engine', environment: 'filters' })

const values: Readonly<Record<string, string>> = {
  ...Object.fromEntries(facetParameters.map((name) => [name, 'filters'])),
  q: 'x',
  user: username,
  category: 'feature',
  target: 'github.com/ada/engine',
  on: '2026-11-02',
  year: 'list',
  from: '2026-11-02T14:05:00Z',
  to: '2026-11-02T14:05:00Z',
  before: '5',
  after: '5',
  limit: '5',
}

/** Every list, and which of the parameters of lists it takes. */
const lists: readonly (readonly [path: string, takes: readonly string[]])[] = [
  ['/', [...facetParameters, 'q', 'from', 'to', 'before']],
  ['/feed.atom', [...facetParameters, 'q', 'from', 'to', 'before']],
  ['/feed.json', [...facetParameters, 'q', 'from', 'to', 'before']],
  [`/${username}`, [...facetParameters, 'target', 'on', 'year', 'from', 'to', 'before']],
  [`/${username}/github.com/ada/engine`, [...facetParameters, 'on', 'year', 'from', 'to', 'before']],
  [`/${username}/github.com`, [...facetParameters, 'on', 'year', 'from', 'to', 'before']],
  [`/${username}/feed.atom`, [...facetParameters, 'target', 'from', 'to', 'before']],
  [`/${username}/feed.json`, [...facetParameters, 'target', 'from', 'to', 'before']],
  ['/wall', ['user', ...facetParameters, 'target']],
  ['/feed/live', ['q', 'user', ...facetParameters, 'target', 'after']],
  ['/api/deployments', ['q', 'user', ...facetParameters, 'target', 'from', 'to', 'limit', 'before']],
  ['/api/deployments/live', ['q', 'user', ...facetParameters, 'target', 'after']],
]

describe('a list refuses a parameter of another list', () => {
  test.each(lists)('%s', async (path, takes) => {
    for (const [name, value] of Object.entries(values)) {
      // Those that take both want the user of a target.
      const user = name === 'target' && takes.includes('user') ? { user: username } : {}
      const response = await service.fetch(`${path}?${new URLSearchParams({ [name]: value, ...user })}`)
      expect([name, response.status < 400]).toEqual([name, takes.includes(name)])
      if (takes.includes(name)) await response.body?.cancel()
      else expect([name, await response.text()]).toEqual([name, expect.stringMatching(/takes no .{1,8}&?/)])
    }
  })

  test.each(lists)('%s, but not an empty one', async (path) => {
    const empty = Object.keys(values).map((name): [string, string] => [name, ''])
    const response = await service.fetch(`${path}?${new URLSearchParams([...empty, ['utm_source', '']])}`)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
})

describe('a parameter that no list knows', () => {
  const ofPrograms = lists.map(([path]) => path).filter((path) => /^\/api|feed\.(atom|json)$/.test(path))
  const ofPeople = lists.map(([path]) => path).filter((path) => !ofPrograms.includes(path))

  test.each([...ofPrograms, `/api/current?user=${username}`])(
    'is refused at %s, which says what it takes',
    async (path) => {
      for (const name of ['utm_source', 'frm', 'toString']) {
        const response = await service.fetch(`${path}${path.includes('?') ? '&' : '?'}${name}=x`)
        const message = expect.stringMatching(/^.{5,12} has a parameter that it does not take, only "/)
        expect([response.status, await response.json()]).toEqual([400, { error: 'bad_request', message }])
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
      }
    },
  )

  test.each(ofPeople)('is ignored at %s: whoever shares a link may add one', async (path) => {
    const response = await service.fetch(`${path}?utm_source=x&since=y`)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
})

describe('a list for programs refuses what is nearly the name of a parameter, and says what to send', () => {
  const nearly = [
    ...[
      ['environment', 'production', 'Send "env".'] as const,
      ['username', username, 'Send "user".'] as const,
    ],
    ...[['url', 'github.com', 'Send "target".'] as const, ['project', 'engine', 'Send "target".'] as const],
    ...[['since', 'now', 'Send "from".'] as const, ['until', 'now', 'Send "to".'] as const],
  ]

  test.each([
    '/api/deployments',
    '/api/deployments/live',
    '/feed.atom',
    `/api/current?user=${username}`,
    `/api/releases?user=${username}&target=a.example`,
  ])('%s', async (path) => {
    for (const [name, value, advice] of nearly) {
      const address = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`
      const response = await service.fetch(address)
      const { message } = (await response.json()) as { message: string }
      expect([name, response.status, message]).toEqual([name, 400, expect.stringContaining(advice)])
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
    }
  })
})

test('the refusal says where it may be asked for', async () => {
  const facets = facetParameters.map((name) => `"${name}"`).join(', ')
  const messageOf = async (path: string) =>
    ((await (await service.fetch(path)).json()) as { message: string }).message
  expect(await messageOf(`/${username}/feed.json?q=x`)).toBe(
    `This feed takes no "q", only ${facets}, "target", "from", "to" and "before". Search at /?q=, with @user for the deployments of one user.`,
  )
  expect(await messageOf('/feed.json?target=github.com')).toBe(
    `The feed takes no "target", only ${facets}, "q", "from", "to" and "before". A user's deployments are at /<username>, and those to one target at /<username>/<target>.`,
  )
})

describe('errors of feeds are JSON, which programs can read and people too:', () => {
  test.each([
    [400, '/feed.atom?category=nope'],
    [400, '/feed.json?before=x'],
    [404, '/nobody-at-all/feed.atom'],
    [404, '/nobody-at-all/feed.json'],
    [405, '/feed.atom'],
    [405, `/${username}/feed.atom/`],
  ])('%d of %s', async (status, path) => {
    const response = await service.fetch(path, status === 405 ? { method: 'POST' } : {})
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(await response.json()).toEqual({ error: expect.any(String), message: expect.any(String) })
  })
})

describe('a stream of the API that is to go on from an invalid id is refused, instead of going on from now:', () => {
  const wrong = ['x', '-1', '1.5', '1e3', '01', ' ', '9'.repeat(16), '٣']
  const answer = async (query: string, headers: Record<string, string>) => {
    const response = await service.fetch(`/api/deployments/live${query}`, { headers })
    await response.body?.cancel()
    return response.status
  }

  test.each(wrong)('"after", %j', async (id) => {
    expect(await answer(`?after=${encodeURIComponent(id)}`, {})).toBe(400)
    // A client that comes back has an id of ours, and only that counts.
    expect(await answer(`?after=${encodeURIComponent(id)}`, { 'Last-Event-ID': '1' })).toBe(200)
  })

  test.each(wrong.filter((id) => /^[!-~]+$/.test(id)))('Last-Event-ID, %j', async (id) => {
    expect(await answer('?after=1', { 'Last-Event-ID': id })).toBe(400)
  })

  test.each(['', '0', '1', '9'.repeat(15)])('but not %j', async (id) => {
    expect(await answer(`?after=${id}`, {})).toBe(200)
    expect(await answer('', { 'Last-Event-ID': id })).toBe(200)
  })
})
