import { afterAll, describe, expect, test } from 'bun:test'
import { capabilities } from '../../../src/capabilities.ts'
import { standInDatabase } from '../../support/database.ts'
import type { Description } from '../../support/openapi.ts'
import { signUpPoster } from '../../support/people.ts'
import { leaveSharedDatabase, startService } from '../../support/service.ts'

/** What the documentation of a service says only with a capability: words of its page, and of its OpenAPI document. */
const traces: Readonly<
  Record<string, { readonly page: readonly string[]; readonly api: readonly string[] }>
> = {
  search: { page: ['<code>q</code>'], api: ['"name":"q"'] },
  environments: {
    page: ['/api/current', '/-/environments'],
    api: ['/api/current', 'CurrentDeployment', '/api/compare'],
  },
  releases: { page: ['id="releases"', '/api/releases'], api: ['/api/releases', 'StopOfRelease'] },
  wall: { page: ['/wall'], api: [] },
  feeds: { page: ['/feed.atom', '/feed.json'], api: ['/feed.', 'Feeds', 'JsonFeed'] },
  import: { page: ['/api/history', '/ci/history.sh', 'id="history"'], api: ['/api/history'] },
  mcp: { page: ['id="agents"', '/mcp'], api: ['/mcp', 'McpMessage'] },
  cdevents: {
    page: ['id="cdevents"', 'cdevents.dev', 'Argo CD'],
    api: ['cloudevents', 'ce-specversion'],
  },
  publishers: { page: ['id="without-a-secret"', '/api/oidc'], api: ['/api/oidc', 'IdentityToken'] },
  intakes: { page: ['id="intakes"', '/api/in/', '>Flux<'], api: ['/api/in/'] },
  webhooks: { page: ['id="webhooks"', '/settings/webhooks'], api: ['"webhooks"', 'webhook-signature'] },
}

/** The documentation of a service with these capabilities, which needs no database. */
async function documentation(listed: readonly string[]) {
  const env = { WEBHOOKS: 'public', OIDC_ISSUERS: 'https://gitlab.example.org', MCP: 'read' }
  const chosen = capabilities.filter(({ name }) => listed.includes(name))
  await using service = await startService(
    env,
    standInDatabase(async () => []),
    0,
    chosen,
  )
  const document = await service.fetch('/openapi.json')
  const [page = ''] =
    /<article class="docs">.*<\/article>/s.exec(await (await service.fetch('/docs')).text()) ?? []
  return { page, api: await document.text() }
}

afterAll(leaveSharedDatabase)

const names = capabilities.map(({ name }) => name)
const whole = await documentation(names)

describe('without a capability, the documentation has no trace of it, and nothing else is missing:', () => {
  test.each(Object.entries(traces))('%s', async (name, { page, api }) => {
    const left = await documentation(names.filter((other) => other !== name))
    for (const word of page)
      expect([word, whole.page.includes(word), left.page.includes(word)]).toEqual([word, true, false])
    for (const word of api)
      expect([word, whole.api.includes(word), left.api.includes(word)]).toEqual([word, true, false])
    const others = sectionsIn(whole.page).filter((id) => !page.includes(`id="${id}"`))
    expect(sectionsIn(left.page)).toEqual(others)
  })

  test('nor of all of them', async () => {
    const left = await documentation([])
    const words = Object.values(traces)
    expect(words.flatMap(({ page }) => page).filter((word) => left.page.includes(word))).toEqual([])
    expect(words.flatMap(({ api }) => api).filter((word) => left.api.includes(word))).toEqual([])
  })
})

test('without import, intakes and CDEvents, their addresses are unknown, and an event is no announcement', async () => {
  const left = names.filter((name) => !['import', 'intakes', 'cdevents'].includes(name))
  await using service = await startService(
    {},
    null,
    0,
    capabilities.filter(({ name }) => left.includes(name)),
  )
  const addresses = [
    ...['GET /ci/history.sh', 'POST /api/history', 'DELETE /api/history'],
    'POST /api/in/github/nobodys-intake-with-22',
  ]
  for (const address of addresses) {
    const [method = '', path = ''] = address.split(' ')
    const { status } = await service.fetch(path, { method })
    expect([address, status]).toEqual([address, 404])
  }
  const ada = await signUpPoster(service)
  const bytes = JSON.stringify({ specversion: '1.0', id: '1', source: '/a', type: 'b.c', data: {} })
  expect((await ada.post({ type: 'application/cloudevents+json', bytes })).status).toBe(422)
})

test('whichever is left out, every reference of the OpenAPI document has a schema, and every schema is used', async () => {
  for (const listed of [[], ...names.map((name) => [name])]) {
    const { api } = await documentation(listed)
    const { components } = JSON.parse(api) as Description
    const references = new Set([...api.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name))
    expect([listed, [...references].toSorted()]).toEqual([listed, Object.keys(components.schemas).toSorted()])
  }
})

function sectionsIn(page: string): string[] {
  return [...page.matchAll(/<div class="stack" id="([\w-]+)"/g)].map(([, id = '']) => id)
}
