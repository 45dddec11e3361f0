import { describe, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { sql } from 'drizzle-orm'
import { maxCallBytes } from '../../../src/capabilities/intakes/rules.ts'
import { Unavailable } from '../../../src/database/errors.ts'
import { categories } from '../../../src/domain/category.ts'
import { importLimits } from '../../../src/domain/imported.ts'
import { openApi } from '../../../src/web/docs/openapi/document.ts'
import { type Body, form, json, post } from '../../support/api.ts'
import { configurationOf } from '../../support/configuration.ts'
import { failingDatabase, query } from '../../support/database.ts'
import { githubDeployment } from '../../support/intake/deliveries.ts'
import { deliver, madeIntake } from '../../support/intake/intakes.ts'
import { addedAt, addedBy, type Description, describedBy } from '../../support/openapi.ts'
import { addToken, signUpPoster } from '../../support/people.ts'
import { crowdedOut, type Service, startService, useService } from '../../support/service.ts'
import { oidcCauses } from './causes.ts'

const service = await useService({ RATE_LIMIT_PER_MINUTE: '2' })
const poster = await signUpPoster(service)
const document = await service.fetch('/openapi.json')
const description = (await document.json()) as Description

test('the document is the one that all answers in tests are checked against', async () => {
  expect(document.status).toBe(200)
  expect(document.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(description.openapi).toBe('3.1.0')
  expect(description.servers).toEqual([{ url: 'http://shipfeed.test' }])
  expect(description).toEqual(describedBy({ perMinute: 2 }))
})

test('pages of any origin may read it, compressed or not, and revalidate it by its ETag', async () => {
  const ask = (headers: Record<string, string>) => {
    const asItTravels: BunFetchRequestInit = { headers, decompress: false }
    return fetch(`${service.url}/openapi.json`, asItTravels)
  }
  const plain = await ask({ 'Accept-Encoding': 'identity' })
  const compressed = await ask({ 'Accept-Encoding': 'gzip' })
  const etag = plain.headers.get('etag') ?? ''
  const unpacked = Bun.gunzipSync(await compressed.arrayBuffer())
  expect(new TextDecoder().decode(unpacked)).toBe(await plain.text())
  for (const { headers } of [plain, compressed, await ask({ 'If-None-Match': etag })]) {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('etag')).toBe(etag)
  }
  expect((await ask({ 'If-None-Match': etag })).status).toBe(304)
})

test.each([
  ['ops@ship.example', { email: 'ops@ship.example' }],
  ['https://ship.example/help', { url: 'https://ship.example/help' }],
  ['Ask at the desk', { name: 'Ask at the desk' }],
])('names the operator: %s', (operatorContact, contact) => {
  const { info } = openApi({ baseUrl: 'https://ship.example', operatorContact, perMinute: 60 })
  expect(info.contact).toEqual(contact)
})

test("the linter finds nothing by Redocly's recommended rules", async () => {
  const site = { baseUrl: 'https://ship.example', operatorContact: 'ops@ship.example' }
  const config = await createConfig({ extends: ['recommended'] })
  for (const options of [
    { perMinute: 0 },
    { perMinute: 0, added: addedAt(0) },
    { perMinute: 60, added: addedAt(60) },
    { perMinute: 60, membersOnly: true },
    {
      perMinute: 60,
      membersOnly: true,
      publicBadges: false,
      added: addedBy(configurationOf({ WEBHOOKS: 'public', MCP: 'read' })),
    },
  ]) {
    const source = JSON.stringify(openApi({ ...site, ...options }))
    const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  }
})

test('every reference has a schema, and every schema is used', () => {
  const references = new Set(
    [...JSON.stringify(description).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name),
  )
  expect([...references].toSorted()).toEqual(Object.keys(description.components.schemas).toSorted())
})

test('every example fits its schema', () => {
  const answers = Object.values(description.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.values(content ?? {}))
    .filter(({ example }) => example !== undefined)
  expect(answers.length).toBe(10)
  for (const { schema, example } of answers) {
    expect([example, service.described.fits(example, schema)]).toEqual([example, true])
  }
})

test('the categories are those of the domain', () => {
  const { Announcement = {} } = description.components.schemas
  const call = (category: unknown) => service.described.fits({ message: 'x', category }, Announcement)
  for (const category of [...Object.keys(categories), '', null]) expect(call(category)).toBeTrue()
  expect(call('bug fix')).toBeFalse()
})

const key = { 'Idempotency-Key': 'k' }
const otherEvent = {
  type: 'application/cloudevents+json',
  bytes: '{"specversion":"1.0","id":"1","source":"/a","type":"com.example.push"}',
}
const mine = `user=${poster.username}`
const ask = (path: string) => () => service.fetch(path)

const compares = 'get /api/compare'
const ofNobody = '/api/compare?user=ada&project=a.example&from=1&to=1'
/** What is live in an environment, compared with itself. */
async function comparison(): Promise<string> {
  const poster = await signUpPoster(service)
  await poster.announced({ message: 'Compared', url: 'https://a.example', environment: 'production' })
  return `/api/compare?user=${poster.username}&project=a.example&from=production&to=production`
}

const checks = 'post /api/check'
const checked = ({ token }: { token: string | null }, { type, bytes }: Body) =>
  service.fetch('/api/check', {
    method: 'POST',
    headers: { ...bearing(token), 'Content-Type': type ?? '' },
    body: bytes,
  })
const broken = { ...form({}), bytes: 'message=%zz' }
const tooMuch = 'a'.repeat(70_000)

const one = 'get /api/deployments/{id}'
const withdraws = 'delete /api/deployments/{id}'
const other = await signUpPoster(service)
const announcedId = other.announced({ message: 'x' })
const teller = await signUpPoster(service)
await teller.announced({ message: 'x', url: 'https://github.com/ada/engine' })
const changelog = `/${teller.username}/github.com%2Fada%2Fengine/changelog`
const withdraw = (id: number, token: string | null = other.token, at: Pick<Service, 'fetch'> = service) =>
  at.fetch(`/api/deployments/${id}`, { method: 'DELETE', headers: bearing(token) })

const ofToken = 'get /api/token'
const askToken = (token: string | null, at: Pick<Service, 'fetch'> = service) =>
  at.fetch('/api/token', { headers: bearing(token) })

const [adds, removes] = ['post /api/history', 'delete /api/history']
const historian = await signUpPoster(service)
const removeImported = (token: string | null, at: Pick<Service, 'fetch'> = service) =>
  at.fetch('/api/history', { method: 'DELETE', headers: bearing(token) })
const history =
  (body: string, type = 'application/json', token: string | null = historian.token) =>
  () =>
    service.fetch('/api/history', {
      method: 'POST',
      headers: { ...bearing(token), 'Content-Type': type },
      body,
    })

/** A token for another project than a call without a link. */
const boundToken = signUpPoster(service)
  .then((person) => addToken(person, { name: 'ci', targets: 'github.com/ada/engine' }))
  .then(({ token }) => token)
const calls = 'post /api/in/{kind}/{id}'
const deployer = await signUpPoster(service)
const intake = await madeIntake(deployer, 'github')
const call = (sent: Parameters<typeof deliver>[3] = {}, event = 'deployment_status') =>
  deliver(service, intake, { ...githubDeployment(), event }, sent)

/** The token of a publisher, which may only announce. */
async function publishersToken(): Promise<string> {
  const { token, username } = await signUpPoster(service)
  await query(
    service.db,
    sql`
      with added as (
        insert into publishers (user_id, issuer, repository)
        select id, 'https://gitlab.com', 'ada/engine' from users where username = ${username} returning *
      )
      update tokens set publisher_id = added.id, expires_at = now() + interval '1 hour'
      from added where tokens.user_id = added.user_id`,
  )
  return token
}

function bearing(token: string | null): Record<string, string> {
  return token === null ? {} : { Authorization: `Bearer ${token}` }
}

type AskOf = (at: Service) => Promise<Response>
const askedOfCrowded: AskOf[] = []
let answersOfCrowded: ReturnType<typeof crowdedOut> | null = null
/** Each refusal takes a second, so the first test that needs one asks for all. */
const crowded = (ask: AskOf) => {
  const n = askedOfCrowded.push(ask) - 1
  return async () => {
    answersOfCrowded ??= crowdedOut(askedOfCrowded)
    return (await answersOfCrowded)[n] ?? Response.error()
  }
}
const crowdedAt = (path: string) => crowded((at) => at.fetch(path))

/** A request that causes each answer; support/openapi.ts checks the answer against the document. */
const causes: readonly (readonly [
  status: number,
  route: string,
  what: string,
  cause: () => Promise<Response>,
])[] = [
  [400, 'post /api', 'a broken escape', () => poster.post({ ...form({}), bytes: 'message=%zz' })],
  [400, 'post /api', 'a bad key', () => poster.announce({ message: 'x' }, { 'Idempotency-Key': 'a b' })],
  [401, 'post /api', 'no token', () => post(service, null, form({ message: 'x' }))],
  [403, 'post /api', 'a bound token', async () => post(service, await boundToken, form({ message: 'x' }))],
  [413, 'post /api', 'too much', () => poster.announce({ message: 'a'.repeat(70_000) })],
  [415, 'post /api', 'another media type', () => poster.post({ type: 'text/plain', bytes: 'x' })],
  [422, 'post /api', 'no message', () => poster.announce({ message: '' })],
  [422, 'post /api', 'all fields', () => poster.post(json({ message: 1, url: 'x', category: 'x' }))],
  [201, 'post /api', 'recorded', () => poster.announce({ message: 'x' }, key)],
  [201, 'post /api', 'replayed', () => poster.announce({ message: 'x' }, key)],
  [422, 'post /api', 'a key that was used', () => poster.announce({ message: 'y' }, key)],
  [201, 'post /api', 'whole', () => poster.announce({ message: 'fix: y', url: 'https://a.example/' })],
  [
    202,
    'post /api',
    'an event of another kind',
    async () => await (await signUpPoster(service)).post(otherEvent),
  ],
  [429, 'post /api', 'too often', () => poster.announce({ message: 'x' })],
  [500, 'post /api', 'a fault', failing('/api', new Error('boom'))],
  [503, 'post /api', 'an outage', failing('/api', new Unavailable('down'))],

  ...(await oidcCauses(crowded)),

  [200, checks, 'checked', async () => checked(await signUpPoster(service), form({ message: 'x' }))],
  [202, checks, 'an event of another kind', async () => checked(await signUpPoster(service), otherEvent)],
  [400, checks, 'a broken escape', async () => checked(await signUpPoster(service), broken)],
  [401, checks, 'no token', () => checked({ token: null }, form({ message: 'x' }))],
  [403, checks, 'a bound', async () => checked({ token: await boundToken }, form({ message: 'x' }))],
  [413, checks, 'too much', async () => checked(await signUpPoster(service), form({ message: tooMuch }))],
  [
    415,
    checks,
    'a type',
    async () => checked(await signUpPoster(service), { type: 'text/plain', bytes: 'x' }),
  ],
  [422, checks, 'no message', async () => checked(await signUpPoster(service), form({ message: '' }))],
  [429, checks, 'too often', () => checked(poster, form({ message: 'x' }))],
  [500, checks, 'a fault', failing('/api/check', new Error('boom'))],
  [503, checks, 'an outage', failing('/api/check', new Unavailable('down'))],

  [200, ofToken, 'all rights', () => askToken(other.token)],
  [200, ofToken, 'bounds', async () => askToken(await boundToken)],
  [200, ofToken, "a publisher's", async () => askToken(await publishersToken())],
  [401, ofToken, 'no token', () => askToken(null)],
  [429, ofToken, 'too many at once', crowded((at) => askToken(other.token, at))],
  [500, ofToken, 'a fault', failing('/api/token', new Error('boom'), 'GET')],
  [503, ofToken, 'an outage', failing('/api/token', new Unavailable('down'), 'GET')],

  [200, one, 'a deployment', async () => service.fetch(`/api/deployments/${await announcedId}`)],
  [404, one, 'none', ask('/api/deployments/0')],
  [429, one, 'too many at once', crowdedAt('/api/deployments/1')],
  [500, one, 'a fault', failing('/api/deployments/1', new Error('boom'))],
  [503, one, 'an outage', failing('/api/deployments/1', new Unavailable('down'))],
  [401, withdraws, 'no token', () => withdraw(1, null)],
  [403, withdraws, "another user's", async () => withdraw(await announcedId, poster.token)],
  [404, withdraws, 'none', () => withdraw(0)],
  [204, withdraws, 'withdrawn', async () => withdraw(await announcedId)],
  [429, withdraws, 'too many at once', crowded((at) => withdraw(1, other.token, at))],
  [500, withdraws, 'a fault', failing('/api/deployments/1', new Error('boom'), 'DELETE')],
  [503, withdraws, 'an outage', failing('/api/deployments/1', new Unavailable('down'), 'DELETE')],

  [
    200,
    adds,
    'added and refused',
    history('[{"message":"x","key":"a","deployed_at":"2020-01-01T00:00:00Z"},{}]'),
  ],
  [400, adds, 'broken JSON', history('[')],
  [401, adds, 'no token', history('[]', 'application/json', null)],
  [403, adds, "a publisher's", async () => history('[]', 'application/json', await publishersToken())()],
  [413, adds, 'too much', history(' '.repeat(importLimits.bytes + 1))],
  [415, adds, 'another media type', history('x', 'text/plain')],
  [422, adds, 'no array', history('{}')],
  [
    429,
    adds,
    'too many at once',
    crowded((at) => at.fetch('/api/history', { method: 'POST', headers: bearing(historian.token) })),
  ],
  [500, adds, 'a fault', failing('/api/history', new Error('boom'))],
  [503, adds, 'an outage', failing('/api/history', new Unavailable('down'))],
  [204, removes, 'removed', () => removeImported(historian.token)],
  [401, removes, 'no token', () => removeImported(null)],
  [403, removes, "a publisher's", async () => removeImported(await publishersToken())],
  [429, removes, 'too many at once', crowded((at) => removeImported(historian.token, at))],
  [500, removes, 'a fault', failing('/api/history', new Error('boom'), 'DELETE')],
  [503, removes, 'an outage', failing('/api/history', new Unavailable('down'), 'DELETE')],

  [201, calls, 'announced', () => call()],
  [202, calls, 'another event', () => call({}, 'push')],
  [204, calls, 'a ping', () => call({}, 'ping')],
  [400, calls, 'broken JSON', () => call({ body: '{' })],
  [401, calls, 'not signed', () => service.fetch(intake.at, { method: 'POST', body: '{}' })],
  [404, calls, 'none', () => service.fetch('/api/in/github/x', { method: 'POST', body: '{}' })],
  [413, calls, 'too much', () => call({ body: ' '.repeat(maxCallBytes + 1) })],
  [415, calls, 'another media type', () => call({ type: 'text/plain' })],
  [429, calls, 'too many at once', crowded((at) => at.fetch(intake.at, { method: 'POST' }))],
  [500, calls, 'a fault', failing('/api/in/github/nobodys-intake-with-22', new Error('boom'))],
  [503, calls, 'an outage', failing('/api/in/github/nobodys-intake-with-22', new Unavailable('down'))],

  [200, 'get /api/deployments', 'a page', ask(`/api/deployments?${mine}&limit=1`)],
  [200, 'get /api/deployments', 'nothing', ask(`/api/deployments?${mine}&category=styling_change`)],
  [400, 'get /api/deployments', 'no limit', ask('/api/deployments?limit=0')],
  [404, 'get /api/deployments', 'nobody', ask('/api/deployments?user=nobody-at-all')],
  [429, 'get /api/deployments', 'too many at once', crowdedAt('/api/deployments')],
  [500, 'get /api/deployments', 'a fault', failing('/api/deployments', new Error('boom'))],
  [503, 'get /api/deployments', 'an outage', failing('/api/deployments', new Unavailable('down'))],

  [200, 'get /api/current', 'nothing', ask(`/api/current?${mine}`)],
  [
    304,
    'get /api/current',
    'the same',
    () => service.fetch(`/api/current?${mine}`, { headers: { 'If-None-Match': '*' } }),
  ],
  [400, 'get /api/current', 'no user', ask('/api/current')],
  [404, 'get /api/current', 'nobody', ask('/api/current?user=nobody-at-all')],
  [429, 'get /api/current', 'too many at once', crowdedAt(`/api/current?${mine}`)],
  [500, 'get /api/current', 'a fault', failing('/api/current?user=ada', new Error('boom'))],
  [503, 'get /api/current', 'an outage', failing('/api/current?user=ada', new Unavailable('down'))],

  [200, compares, 'an environment and itself', async () => service.fetch(await comparison())],
  [
    304,
    compares,
    'the same',
    async () => service.fetch(await comparison(), { headers: { 'If-None-Match': '*' } }),
  ],
  [400, compares, 'nothing asked', ask('/api/compare')],
  [404, compares, 'nobody', ask('/api/compare?user=nobody-at-all&project=a.example&from=1&to=1')],
  [429, compares, 'too many at once', crowdedAt('/api/compare')],
  [500, compares, 'a fault', failing(ofNobody, new Error('boom'))],
  [503, compares, 'an outage', failing(ofNobody, new Unavailable('down'))],
  [200, 'get /api/releases', 'a page', ask(`/api/releases?${mine}&target=github.com/ada/engine`)],
  [400, 'get /api/releases', 'no target', ask(`/api/releases?${mine}`)],
  [404, 'get /api/releases', 'nobody', ask('/api/releases?user=nobody-at-all&target=a.example')],
  [429, 'get /api/releases', 'too many at once', crowdedAt(`/api/releases?${mine}&target=a.example`)],
  [
    500,
    'get /api/releases',
    'a fault',
    failing('/api/releases?user=ada&target=a.example', new Error('boom')),
  ],
  [
    503,
    'get /api/releases',
    'an outage',
    failing('/api/releases?user=ada&target=a.example', new Unavailable('down')),
  ],

  [200, 'get /api/deployments/live', 'a stream', stream],
  [400, 'get /api/deployments/live', 'no category', ask('/api/deployments/live?category=chore')],
  [404, 'get /api/deployments/live', 'nobody', ask('/api/deployments/live?user=nobody-at-all')],
  [429, 'get /api/deployments/live', 'too many', withoutPlaces],
  [500, 'get /api/deployments/live', 'a fault', failing('/api/deployments/live?user=ada', new Error('boom'))],
  [
    503,
    'get /api/deployments/live',
    'an outage',
    failing('/api/deployments/live?user=a', new Unavailable('x')),
  ],

  ...(
    [
      ['get /badge/{username}', '', '?show=environments'],
      ['get /badge/{username}/{target}', '/github.com%2Fada%2Fengine', '?show=environments&env=qa'],
    ] as const
  ).flatMap(([route, target, contradiction]) => {
    const [svg, data] = [`${route}.svg`, `${route}.json`]
    const [image, twin] = [`${target}.svg`, `${target}.json`]
    return [
      [200, svg, 'an image', ask(`/badge/${poster.username}${image}`)] as const,
      [200, svg, 'an image of nobody', ask(`/badge/nobody-at-all${image}`)] as const,
      [400, svg, 'an image of a contradiction', ask(`/badge/ada${image}${contradiction}`)] as const,
      [404, svg, 'no address of a badge', ask(`/badge/a--b${image}`)] as const,
      [500, svg, 'an image of a fault', failing(`/badge/ada${image}`, new Error('boom'))] as const,
      [200, svg, 'an image of an outage', failing(`/badge/ada${image}`, new Unavailable('down'))] as const,
      [200, data, 'JSON', ask(`/badge/${poster.username}${twin}`)] as const,
      [400, data, 'a contradiction', ask(`/badge/ada${twin}${contradiction}`)] as const,
      [404, data, 'JSON of nobody', ask(`/badge/nobody-at-all${twin}`)] as const,
      [500, data, 'JSON of a fault', failing(`/badge/ada${twin}`, new Error('boom'))] as const,
      [503, data, 'JSON of an outage', failing(`/badge/ada${twin}`, new Unavailable('down'))] as const,
    ]
  }),

  ...(
    [
      ['get /{username}/year.svg', ''],
      ['get /{username}/{target}/year.svg', '/github.com%2Fada%2Fengine'],
    ] as const
  ).flatMap(([route, target]) => [
    [200, route, 'a year', ask(`/${poster.username}${target}/year.svg`)] as const,
    [200, route, 'a year of nobody', ask(`/nobody-at-all${target}/year.svg`)] as const,
    [404, route, 'no address of a year', ask(`/a--b${target}/year.svg`)] as const,
    [429, route, 'too many at once', crowdedAt(`/ada${target}/year.svg`)] as const,
    [500, route, 'a fault', failing(`/ada${target}/year.svg`, new Error('boom'))] as const,
    [200, route, 'a year of an outage', failing(`/ada${target}/year.svg`, new Unavailable('down'))] as const,
  ]),

  ...['atom', 'json'].flatMap((form) =>
    [
      [`get /feed.${form}`, `/feed.${form}`] as const,
      [`get /{username}/feed.${form}`, `/${poster.username}/feed.${form}`] as const,
    ].flatMap(([route, path]) => [
      [200, route, 'a page', ask(path)] as const,
      [304, route, 'the same', () => service.fetch(path, { headers: { 'If-None-Match': '*' } })] as const,
      [400, route, 'no page', ask(`${path}?before=x`)] as const,
      [
        404,
        route,
        'nobody',
        ask(route.includes('{') ? `/nobody-at-all/feed.${form}` : `/feed.${form}?q=@nobody-at-all`),
      ] as const,
      [429, route, 'too many at once', crowdedAt(path)] as const,
      [500, route, 'a fault', failing(path, new Error('boom'))] as const,
      [503, route, 'an outage', failing(path, new Unavailable('down'))] as const,
    ]),
  ),

  ...(
    [
      ['get /{username}/{target}/changelog.md', `${changelog}.md`],
      ['get /{username}/{target}/changelog.atom', `${changelog}.atom`],
      ['get /oembed', `/oembed?url=http://shipfeed.test${decodeURIComponent(changelog)}`],
    ] as const
  ).flatMap(([route, path]) => [
    [200, route, 'a changelog', ask(path)] as const,
    [304, route, 'the same', () => service.fetch(path, { headers: { 'If-None-Match': '*' } })] as const,
    [400, route, 'no page', ask(`${path}${path.includes('?') ? '&' : '?'}before=x`)] as const,
    [404, route, 'nobody', ask(path.replace(teller.username, 'nobody-at-all'))] as const,
    [429, route, 'too many at once', crowdedAt(path)] as const,
    [500, route, 'a fault', failing(path, new Error('boom'))] as const,
    [503, route, 'an outage', failing(path, new Unavailable('down'))] as const,
  ]),
  [501, 'get /oembed', 'XML', ask('/oembed?url=http://shipfeed.test/ada/a.example&format=xml')],

  ...Object.entries(description.paths)
    .filter(([path]) => path !== '/api/oidc')
    .flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) =>
          [
            405,
            `${method} ${path}`,
            'another method',
            () =>
              service.fetch(
                path
                  .replace('{username}', 'ada')
                  .replace('{id}', '1')
                  .replace('{target}', 'a.example')
                  .replace('{kind}', 'github'),
                { method: 'PATCH' },
              ),
          ] as const,
      ),
    ),
]

describe('each answer is described:', () => {
  test.each(causes)('%d of %s, %s', async (status, _, __, cause) => {
    expect((await cause()).status).toBe(status)
  })

  test('and no other address, method or status is', () => {
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        Object.keys(responses).map((status) => `${status} ${method} ${path}`),
      ),
    )
    const seen = new Set(causes.map(([status, route]) => `${status} ${route}`))
    expect(described.toSorted()).toEqual([...seen].toSorted())
  })

  test('without a limit there is no 429', async () => {
    await using unlimited = await startService({ RATE_LIMIT_PER_MINUTE: '0' })
    const { paths } = (await (await unlimited.fetch('/openapi.json')).json()) as Description
    expect(JSON.stringify(paths['/api'])).not.toMatch(/429|rate_limited|RateLimit/)
  })
})

describe('an answer that is not described fails its test:', () => {
  const endpoint = { schemaVersion: 1, label: 'ship', message: 'Fresh', color: '#000', isError: false }
  const unauthorized = { error: 'Unauthorized' }
  const challenge = { 'WWW-Authenticate': 'Bearer' }
  const found: readonly (readonly [what: string, request: string, answer: Response])[] = [
    ['a status', 'POST /api', Response.json(unauthorized, { status: 402 })],
    [
      'a member',
      'POST /api',
      Response.json({ ...unauthorized, more: 1 }, { status: 401, headers: challenge }),
    ],
    ['a value', 'GET /badge/a.json', Response.json({ ...endpoint, schemaVersion: 2 })],
    ['a media type', 'GET /badge/a.json', new Response('{}', { headers: { 'Content-Type': 'text/json' } })],
    ['a missing header', 'POST /api', Response.json(unauthorized, { status: 401 })],
    ['a header', 'GET /badge/a.json', Response.json(endpoint, { headers: { 'X-Other': '1' } })],
    [
      'a value of a header',
      'GET /badge/a.json',
      Response.json(endpoint, { headers: { 'X-Shipfeed-Status': '1' } }),
    ],
    ['a method', 'PATCH /api', Response.json({})],
    ['an address', 'GET /api/other', Response.json({})],
    [
      'a body where there is none',
      'GET /feed.json',
      Response.json({}, { status: 304, headers: { ETag: '"a"' } }),
    ],
  ]

  test.each(found)('%s', async (_, request, response) => {
    const [method = '', path = ''] = request.split(' ')
    await expect(service.described.check({ method, path, response })).rejects.toThrow('does not describe')
  })

  test('an event', () => {
    const check = (data: object) => () =>
      service.described.checkEvent({ event: 'x', data: JSON.stringify(data) })
    expect(check({ id: 1 })).not.toThrow()
    expect(check({ id: '1' })).toThrow('does not describe')
  })
})

async function stream(): Promise<Response> {
  const response = await service.fetch(`/api/deployments/live?${mine}`)
  await response.body?.cancel()
  return response
}

async function withoutPlaces(): Promise<Response> {
  await using full = await startService({ STREAMS_PER_ADDRESS: '0' })
  return await full.fetch('/api/deployments/live')
}

/** Sends a request to a service whose database fails with this error. */
function failing(
  path: string,
  error: Error,
  method = /^\/api(\/check|\/history|\/in\/.*)?$/.test(path) ? 'POST' : 'GET',
) {
  return async () => {
    await using broken = await startService({}, failingDatabase(error))
    const body = method === 'POST' ? new URLSearchParams({ message: 'x' }) : null
    return await broken.fetch(path, { method, headers: bearing(poster.token), body })
  }
}
