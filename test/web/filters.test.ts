import { describe, expect, test } from 'bun:test'
import { signUpPoster } from '../support/people.ts'
import { useService } from '../support/service.ts'

const service = await useService()
const { announce, username } = await signUpPoster(service)
await announce({ message: 'x', url: 'https://github.com/ada/engine', environment: 'filters' })

const values: Readonly<Record<string, string>> = {
  q: 'x',
  user: username,
  category: 'feature',
  target: 'github.com/ada/engine',
  env: 'filters',
  on: '2026-11-02',
  year: 'list',
  before: '5',
  after: '5',
  limit: '5',
}

/** Every list, and which of the parameters of lists it takes. */
const lists: readonly (readonly [path: string, takes: readonly string[]])[] = [
  ['/', ['category', 'env', 'q', 'before']],
  ['/feed.atom', ['category', 'env', 'q', 'before']],
  ['/feed.json', ['category', 'env', 'q', 'before']],
  [`/${username}`, ['category', 'env', 'target', 'on', 'year', 'before']],
  [`/${username}/github.com/ada/engine`, ['category', 'env', 'on', 'year', 'before']],
  [`/${username}/github.com`, ['category', 'env', 'on', 'year', 'before']],
  [`/${username}/feed.atom`, ['category', 'env', 'target', 'before']],
  [`/${username}/feed.json`, ['category', 'env', 'target', 'before']],
  ['/wall', ['user', 'category', 'env', 'target']],
  ['/feed/live', ['q', 'user', 'category', 'env', 'target', 'after']],
  ['/api/deployments', ['q', 'user', 'category', 'env', 'target', 'limit', 'before']],
  ['/api/deployments/live', ['q', 'user', 'category', 'env', 'target', 'after']],
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

  test.each(lists)('%s, but not an empty one, and ignores one that no list knows', async (path) => {
    const empty = Object.keys(values).map((name): [string, string] => [name, ''])
    const response = await service.fetch(`${path}?${new URLSearchParams([...empty, ['utm_source', 'x']])}`)
    expect(response.status).toBe(200)
    await response.body?.cancel()
  })
})

describe('a list of the API refuses what is nearly the name of a parameter, and says what to send', () => {
  const nearly = [
    ...[
      ['environment', 'production', 'Send "env".'] as const,
      ['username', username, 'Send "user".'] as const,
    ],
    ...[['url', 'github.com', 'Send "target".'] as const, ['project', 'engine', 'Send "target".'] as const],
    ...['from', 'since', 'to', 'until'].map(
      (name) => [name, '2026-11-02T14:05:00Z', 'takes "from" and "to"'] as const,
    ),
  ]

  test.each(['/api/deployments', '/api/deployments/live', `/api/current?user=${username}`])(
    '%s',
    async (path) => {
      for (const [name, value, advice] of nearly) {
        if (path === '/api/deployments' && /^(from|to)$/.test(name)) continue
        const address = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`
        const response = await service.fetch(address)
        const { message } = (await response.json()) as { message: string }
        expect([name, response.status, message]).toEqual([name, 400, expect.stringContaining(advice)])
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
      }
    },
  )

  test('but a page ignores it: whoever shares a link may add one', async () => {
    expect((await service.fetch('/?from=timeline')).status).toBe(200)
  })
})

test('the refusal says where it may be asked for', async () => {
  const messageOf = async (path: string) =>
    ((await (await service.fetch(path)).json()) as { message: string }).message
  expect(await messageOf(`/${username}/feed.json?q=x`)).toBe(
    'This feed takes no "q", only "category", "env", "target" and "before". Search at /?q=, with @user for the deployments of one user.',
  )
  expect(await messageOf('/feed.json?target=github.com')).toBe(
    'The feed takes no "target", only "category", "env", "q" and "before". A user\'s deployments are at /<username>, and those to one target at /<username>/<target>.',
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
