import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { databaseForProcess } from '../support/database.ts'
import { madeIntake } from '../support/intake/intakes.ts'
import { inParallel } from '../support/parallel.ts'
import {
  behindProxy,
  fromNewAddress,
  type Person,
  type Poster,
  signUp,
  signUpPoster,
} from '../support/people.ts'
import { doorOf, type Process, startCommand, temporaryDirectory } from '../support/process.ts'
import { startService } from '../support/service.ts'
import type { Attack } from './starvation/attack.ts'
import { type Asked, type Met, neighboursMeet } from './starvation/neighbours.ts'

/*
 * One machine asks each route over 700 connections at once, with the parameters that cost most, while the test checks
 * that others hardly notice. A new route fails here until it has an example.
 */

const connections = 700
const seconds = 0.6
/** Others may wait for ten times as long as without the attack, or for `floorMs` if that is longer (a busy machine). */
const slower = 10
const floorMs = 1_000

const ada = 'ada'
const issuer = 'https://token.actions.githubusercontent.com'

/** What the attacked list shows: the worst texts that anybody may post belong here. */
const messages: readonly string[] = [
  'fix: it',
  'a'.repeat(4_096),
  'Ⓡ'.repeat(1_365),
  '# a `b` https://a.example/ c\n'.repeat(100),
]

/** Addresses of each pattern; `{n}` is another number for each request, `{id}` a deployment. */
const examples: Readonly<Record<string, readonly string[]>> = {
  '/badge/:file': [
    `/badge/${ada}.svg`,
    `/badge/${ada}.json?url=git.example/ada`,
    `/badge/${ada}.svg?url=git.example&env=production`,
    `/badge/${ada}.svg?show=version`,
  ],
  '/badge/:file/*': [`/badge/${ada}/git.example.svg?show=environments`],
  '/': ['/?before={n}', '/?q=engine{n}', '/?category=bug_fix&before={n}', '/?q=it'],
  '/feed/live': [`/feed/live?user=${ada}&after=0`, '/feed/live?after={n}', '/feed/live?q=it&after=1'],
  '/:username': [`/${ada}`, `/${ada}?before={n}`, `/${ada}?on=2026-11-02`, '/nobody-{n}'],
  '/environments': [
    '/environments',
    `/environments?project=${ada}/git.example/ada`,
    '/environments?env=e{n}',
  ],
  '/:username/-/environments': [`/${ada}/-/environments`],
  '/:username/badge': [`/${ada}/badge`],
  '/:username/*': [
    `/${ada}/git.example`,
    `/${ada}/git.example/ada?before={n}`,
    `/${ada}/nothing-{n}.example`,
    `/${ada}/git.example/ada/changelog?before={n}`,
  ],
  '/:username/:id': [`/${ada}/{id}`, `/${ada}/{n}`],
  '/:username/:id/delete': [`/${ada}/{id}/delete`],
  '/:username/:id/report': [`/${ada}/{id}/report`],
  '/:username/:id/card.png': [`/${ada}/{id}/card.png`],
  '/card.png': ['/card.png'],
  '/oembed': [`/oembed?url=http://shipfeed.test/${ada}/git.example/ada`],
  '/status': ['/status'],
  '/:username/card.png': [`/${ada}/card.png`],
  '/:username/year.svg': [`/${ada}/year.svg`],
  '/wall': [
    `/wall?user=${ada}&target=git.example&env=e{n}`,
    '/wall?env=e{n}',
    '/wall?category=feature',
    `/wall?view=environments&user=${ada}`,
    '/wall?view=environments',
    '/wall',
  ],
  '/feed.atom': ['/feed.atom?before={n}', '/feed.atom?q=it'],
  '/feed.json': ['/feed.json?before={n}', '/feed.json'],
  '/:username/feed.atom': [`/${ada}/feed.atom?before={n}`, `/${ada}/feed.atom?target=git.example`],
  '/:username/feed.json': [`/${ada}/feed.json?before={n}`],
  '/api/deployments': [
    '/api/deployments?before={n}&limit=100',
    `/api/deployments?user=${ada}&target=git.example`,
  ],
  '/api/current': [`/api/current?user=${ada}`, `/api/current?user=${ada}&env=e{n}`],
  '/api/compare': [`/api/compare?user=${ada}&project=git.example/ada&from=e{n}&to=production`],
  '/api/releases': [`/api/releases?user=${ada}&target=git.example&before={n}`],
  '/api/deployments/:id': ['/api/deployments/{id}', '/api/deployments/{n}'],
  '/api/deployments/live': ['/api/deployments/live?after=0', `/api/deployments/live?user=${ada}&after={n}`],
  '/api/history': ['/api/history'],
  '/api/in/:kind/:id': ['/api/in/github/{intake}', '/api/in/github/a{n}'],
  '/api/oidc': ['/api/oidc'],
  '/api/token': ['/api/token'],
  '/api': ['/api'],
  '/api/check': ['/api/check'],
  '/sign-up': ['/sign-up'],
  '/sign-in': ['/sign-in'],
  '/sign-out': ['/sign-out'],
  '/password': ['/password?link=a{n}'],
  '/settings': ['/settings'],
  '/settings/token': ['/settings/token'],
  '/settings/tokens': ['/settings/tokens'],
  '/settings/tokens/:id/roll': ['/settings/tokens/{n}/roll'],
  '/settings/tokens/:id/end': ['/settings/tokens/{n}/end'],
  '/settings/checklist': ['/settings/checklist'],
  '/settings/publishers': ['/settings/publishers'],
  '/settings/publishers/:id/delete': ['/settings/publishers/{n}/delete'],
  '/settings/history/delete': ['/settings/history/delete'],
  '/settings/intakes': ['/settings/intakes'],
  '/settings/intakes/:id': ['/settings/intakes/a{n}'],
  '/settings/intakes/:id/filter': ['/settings/intakes/a{n}/filter'],
  '/settings/intakes/:id/pause': ['/settings/intakes/a{n}/pause'],
  '/settings/intakes/:id/resume': ['/settings/intakes/a{n}/resume'],
  '/settings/intakes/:id/delete': ['/settings/intakes/a{n}/delete'],
  '/settings/profile': ['/settings/profile'],
  '/settings/environment-order': ['/settings/environment-order'],
  '/settings/projects': ['/settings/projects'],
  '/settings/projects/separate': ['/settings/projects/separate'],
  '/settings/password': ['/settings/password'],
  '/settings/sessions/end': ['/settings/sessions/end'],
  '/settings/export': ['/settings/export'],
  '/settings/delete': ['/settings/delete'],
}

/** Without the database: together, so that this test takes less than two minutes. */
const still = [
  ...[
    '/healthz',
    '/readyz',
    '/assets/*',
    '/favicon.svg',
    '/favicon.ico',
    '/apple-touch-icon.png',
    '/robots.txt',
  ],
  ...[
    '/.well-known/security.txt',
    '/openapi.json',
    '/docs',
    '/ci/announce.sh',
    '/ci/gitlab.yml',
    '/ci/history.sh',
  ],
]

/** What is sent to addresses that take more than a GET, with a token that nobody has. */
const token = 'ship_0000000000000000000000000000002C8GjS'
const fields: Readonly<Record<string, string>> = {
  '/api': 'message=%60',
  '/api/check': 'message=%60',
  '/api/in/:kind/:id': `payload=${'x'.repeat(60_000)}`,
  '/api/oidc': `user=${ada}&jwt=${btoa('{"alg":"RS256"}')}.${btoa(JSON.stringify({ iss: issuer }))}.AAAA`,
  '/sign-up': `username=${ada}&name=Ada&password=correct+horse+battery+{n}`,
  '/sign-in': `username=${ada}&password=wrong+words+{n}`,
  '/:username/:id/report': 'reason=spam&text=a+{n}',
  '/settings/intakes': 'kind=github&password=wrong+{n}',
  '/settings/profile': 'name=Mallory+{n}',
  '/settings/environment-order': 'environments=qa-{n}',
  '/settings/projects': 'spelling=a{n}.example&target=git.example',
  '/settings/projects/separate': 'spelling=a{n}.example',
  '/settings/password': 'current_password=wrong+{n}&new_password=another+passphrase+{n}',
  '/settings/delete': 'password=wrong+{n}',
  '/settings/tokens': 'name=n{n}&announce=on',
  '/settings/publishers': `issuer=${encodeURIComponent(issuer)}&repository=a/b{n}&workflow=a.yml`,
}

/** How many routes share an attack: one that costs too much starves others even with a third of the requests. */
const perGroup = 3

const environment = {
  ...behindProxy,
  PATH: process.env.PATH ?? '',
  HOST: '127.0.0.1',
  PORT: '0',
  BASE_URL: 'http://shipfeed.test',
  RATE_LIMIT_PER_MINUTE: '0',
  SIGN_UPS_PER_HOUR: '0',
  OIDC_ISSUERS: issuer,
  REPORTS: 'on',
  LOG_LEVEL: 'error',
}

const directory = temporaryDirectory()
afterAll(directory.remove)

await using service = await startService({ OIDC_ISSUERS: issuer, REPORTS: 'on' })
const { paths } = service

test('each address has an example', () => {
  expect([...paths].toSorted()).toEqual([...Object.keys(examples), ...still].toSorted())
})

const routes = [
  ...paths.filter((path) => !still.includes(path)).flatMap((path) => [`GET ${path}`, `POST ${path}`]),
  'DELETE /api/oidc',
]
const groups = Array.from({ length: Math.ceil(routes.length / perGroup) }, (_, n) =>
  routes.slice(perGroup * n, perGroup * (n + 1)).join(', '),
)

describe(`Others go on while one machine asks for`, () => {
  let server: Process
  let drop = async () => {}
  let url = ''
  let poster: Poster
  let attacker: Person
  let id = 0
  let intake = ''
  let idle: Record<Asked, Met>

  beforeAll(async () => {
    const database = await databaseForProcess()
    drop = database.drop
    server = startCommand([process.execPath, 'src/main.ts'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: { ...environment, ...database.environment },
    })
    url = await server.url
    const door = doorOf(url)
    poster = await signUpPoster(door)
    attacker = await signUp(door, { username: 'mallory' })
    const victim = await signUpPoster(door, { username: ada })
    intake = (await madeIntake(victim, 'github')).at.split('/').at(-1) ?? ''
    await inParallel([...Array(400).keys()], 8, async (n) => {
      const answer = await victim.announce({
        message: messages[n % messages.length],
        url: `https://git.example/ada/p${n % 80}/pull/${n}`,
        environment: 'production',
      })
      id = ((await answer.json()) as { id: number }).id
    })
    await neighboursMeet(url, poster, 1)
    idle = await neighboursMeet(url, poster, 2)
  }, 900_000)
  afterAll(async () => {
    server?.child.kill('SIGKILL')
    await server?.child.exited
    await drop()
  })

  test.each(groups)('%s', async (group) => {
    const requests: string[] = []
    for (const route of group.split(', ')) {
      const [method = '', pattern = ''] = route.split(' ')
      const [first = '', ...more] = examples[pattern] ?? []
      // Answers that only say which methods the address takes are all alike.
      if (await isOtherMethod(method, first)) continue
      requests.push(...[first, ...more].map((path) => requestOf(method, path, fields[pattern])))
    }
    if (requests.length > 0) await holds(requests)
  })

  test('what needs no database', async () => {
    await holds(still.map((path) => requestOf('GET', path.replace('*', 'nothing'))))
  })

  function requestOf(method: string, path: string, body = ''): string {
    return [
      `${method} ${path.replace('{id}', String(id)).replace('{intake}', intake)} HTTP/1.1`,
      'Host: shipfeed.test',
      'X-Forwarded-For: 198.51.100.7',
      'Accept: text/html',
      'Sec-Fetch-Site: same-origin',
      ...(path === '/sign-out' ? [] : [`Cookie: ${attacker.cookie}`]),
      `Authorization: Bearer ${token}`,
      ...(method === 'GET' ? [] : ['Content-Type: application/x-www-form-urlencoded']),
      `Content-Length: ${body.replaceAll('{n}', '1234567890').length}`,
      '',
      body,
    ].join('\r\n')
  }

  async function isOtherMethod(method: string, path: string): Promise<boolean> {
    const response = await fetch(url + path.replace('{id}', String(id)).replace('{intake}', intake), {
      method,
      headers: fromNewAddress(),
      redirect: 'manual',
    })
    await response.body?.cancel()
    return response.status === 405
  }

  async function holds(requests: readonly string[]): Promise<void> {
    const port = Number(new URL(url).port)
    const attack: Attack = { port, connections, seconds: seconds + 0.3, requests }
    const file = fileURLToPath(new URL('./starvation/attack.ts', import.meta.url))
    const child = Bun.spawn([process.execPath, file, JSON.stringify(attack)], { stdout: 'pipe' })
    const lines = linesOf(child.stdout)
    await lines.next()
    const met = await neighboursMeet(url, poster, seconds)
    const statuses = JSON.parse((await lines.next()).value ?? '') as Record<string, number>
    const tooSlow = Object.entries(met).filter(
      ([what, { median }]) => median > Math.max(floorMs, slower * idle[what as Asked].median),
    )
    const wrong = Object.values(met).flatMap((each) => each.wrong)
    if (process.env.TELL_STARVATION !== undefined) console.log(JSON.stringify({ statuses, met }))
    expect({ wrong, tooSlow, attacked: Object.keys(statuses).length > 0 }).toEqual({
      wrong: [],
      tooSlow: [],
      attacked: true,
    })
  }
})

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of stream) {
    const [rest = '', ...lines] = (text + decoder.decode(bytes)).split('\n').toReversed()
    text = rest
    yield* lines.toReversed()
  }
}
