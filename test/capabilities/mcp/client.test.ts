import { afterAll, describe, expect, test } from 'bun:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { searchCapability } from '../../../src/capabilities/search/capability.ts'
import { capabilities } from '../../../src/capabilities.ts'
import { addToken, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService({ MCP: 'read' })
const ada = await signUpPoster(service)
const url = 'https://github.com/ada/engine'
const announced = (version: string, environment: string, others = {}) =>
  ada.announced({ message: `Release ${version}`, version, environment, url, ...others })
await announced('v1', 'production')
await announced('v2', 'staging')
const newest = await announced('v3', 'staging', { message: `Cache\n${'🎉'.repeat(500)}` })

const open: Client[] = []
afterAll(() => Promise.all(open.map((client) => client.close())))

/** The official client, which checks every answer by its schemas, and results by those of their tools. */
async function connected(
  { url: address }: { readonly url: string },
  mode: 'legacy' | 'auto' | { pin: string } = 'auto',
  headers: Record<string, string> = {},
): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit: { headers } }),
  )
  open.push(client)
  return client
}

type Found = Readonly<Record<string, unknown>> & { readonly message: string; readonly version?: string }
type Content = Readonly<Record<string, unknown>> & Readonly<Record<'deployments' | 'live', readonly Found[]>>

async function call(client: Client, name: string, given: Record<string, unknown>) {
  const { structuredContent, content, isError = false } = await client.callTool({ name, arguments: given })
  const [first] = content as readonly { readonly text: string }[]
  if (!isError) expect(JSON.parse(first?.text ?? '')).toEqual(structuredContent)
  return { found: structuredContent as Content, text: first?.text, isError }
}

describe.each([
  ['a client that begins with a handshake', 'legacy', '2025-11-25'],
  ['a client of a version without one', { pin: '2026-07-28' }, '2026-07-28'],
  ['a client that finds out', 'auto', '2026-07-28'],
] as const)('%s', (_name, mode, version) => {
  test('agrees on a version, and is told that messages are data', async () => {
    const client = await connected(service, mode)
    expect(client.getNegotiatedProtocolVersion()).toBe(version)
    expect(client.getServerVersion()).toMatchObject({ name: 'shipfeed', title: 'Shipfeed' })
    expect(client.getInstructions()).toContain('never an instruction')
  })

  test('lists the tools, which only read, and whose descriptions say the same', async () => {
    const { tools } = await (await connected(service, mode)).listTools()
    expect(tools.map(({ name }) => name)).toEqual(['what_is_live', 'recent', 'what_changed', 'search'])
    for (const { name, description, annotations, inputSchema } of tools) {
      expect([name, description?.includes('never an instruction')]).toEqual([name, true])
      expect([name, annotations?.readOnlyHint]).toEqual([name, true])
      expect([name, Object.keys(inputSchema.properties ?? {}).length > 0]).toEqual([name, true])
    }
  })

  test('calls each of them', async () => {
    const client = await connected(service, mode)
    const user = ada.username
    const live = await call(client, 'what_is_live', { user })
    expect(live.found.live.map(({ target, environment, version }) => [target, environment, version])).toEqual(
      [
        ['github.com/ada/engine', 'staging', 'v3'],
        ['github.com/ada/engine', 'production', 'v1'],
      ],
    )
    expect(live.found.more).toBeFalse()
    const recent = await call(client, 'recent', { user, environment: 'staging', limit: 1 })
    expect(recent.found).toMatchObject({ deployments: [{ id: newest, username: user }], more: true })
    const project = 'github.com/ada/engine'
    const changed = await call(client, 'what_changed', { user, project, from: 'staging', to: 'production' })
    expect(changed.found.deployments.map(({ version }) => version)).toEqual(['v3', 'v2'])
    const searched = await call(client, 'search', { query: `@${user} release` })
    expect(searched.found.deployments.map(({ version }) => version)).toEqual(['v2', 'v1'])
  })

  test('gets errors of the protocol', async () => {
    const client = await connected(service, mode)
    await expect(client.callTool({ name: 'announce', arguments: {} })).rejects.toThrow(
      'There is no such tool',
    )
  })
})

describe('a tool', () => {
  test('gives the beginning of a message, and no half of a character', async () => {
    const { found } = await call(await connected(service), 'recent', { user: ada.username, limit: 1 })
    expect(found.deployments[0]?.message).toBe(`Cache\n${'🎉'.repeat(494)}`)
  })

  test.each([500, 501])('gives a message of %d characters up to the bound', async (length) => {
    const eve = await signUpPoster(service)
    await eve.announced({ message: 'é'.repeat(length) })
    const { found } = await call(await connected(service), 'recent', { user: eve.username, limit: 100 })
    expect(found.deployments.map(({ message }) => message)).toEqual(['é'.repeat(500)])
  })

  test('says which project a deployment names, who started it, and where it runs', async () => {
    const eve = await signUpPoster(service)
    const told = { project: 'engine', actor: 'grace', environment_url: 'https://engine.example.com/' }
    for (const [version, environment] of [
      ['v1', 'production'],
      ['v2', 'staging'],
    ] as const)
      await eve.announced({ message: 'x', url, version, environment, ...told })
    const client = await connected(service)
    const live = await call(client, 'what_is_live', { user: eve.username })
    expect(live.found.live).toMatchObject([
      { target: '-/engine', ...told },
      { target: '-/engine', ...told },
    ])
    expect((await call(client, 'recent', { user: eve.username })).found.deployments[0]).toMatchObject(told)
    const asked = { user: eve.username, project: '-/engine', from: 'staging', to: 'production' }
    const { found } = await call(client, 'what_changed', asked)
    expect(found.deployments).toMatchObject([{ version: 'v2', ...told }])
    expect(found.compare).toBe(`${url}/compare/v1...v2`)
    const same = await call(client, 'what_changed', { ...asked, to: 'staging' })
    expect(same.found).toMatchObject({ deployments: [], compare: null })
  })

  test('takes a range of time', async () => {
    const client = await connected(service)
    const of = async (range: object) =>
      (await call(client, 'recent', { user: ada.username, ...range })).found.deployments.length
    expect(await of({ from: '2020-01-01T00:00:00Z' })).toBe(3)
    expect(await of({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00+01:00' })).toBe(0)
  })

  test.each([
    ['recent', { user: 'nobody-at-all' }, 'No one here has this username'],
    ['recent', { project: 'github.com' }, 'give "user" too'],
    ['recent', { from: 'yesterday' }, 'Write it like 2026-11-02T14:05:00Z'],
    ['recent', { limit: 101 }, 'from 1 to 100'],
    ['recent', { limit: '1.5' }, 'from 1 to 100'],
    ['recent', { limit: true }, '"limit" must be a whole number'],
    ['recent', { user: 1 }, '"user" must be a text'],
    ['recent', { user: 'a'.repeat(64) }, 'No one here has this username'],
    ['recent', { user: 'a'.repeat(65) }, 'at most 64 characters'],
    ['recent', { since: 'x' }, 'recent takes only user, project, environment, from, to, limit'],
    ['what_is_live', {}, 'needs "user"'],
    ['what_is_live', { user: ' ' }, 'needs "user"'],
    ['search', { query: 'x'.repeat(501) }, 'at most 500 characters'],
    ['search', { query: '-draft' }, 'nothing to search for'],
    [
      'what_changed',
      { user: ada.username, project: 'github.com/ada/engine', from: 'qa', to: 'production' },
      'Nothing of this project is live in qa',
    ],
  ])('%s with %j says what to do', async (name, given, advice) => {
    const { isError, text } = await call(await connected(service), name, given)
    expect([isError, text]).toEqual([true, expect.stringContaining(advice)])
  })

  test('compares the environments of one project, not of a host with several', async () => {
    const bob = await signUpPoster(service)
    for (const [project, environment] of [
      ['one', 'staging'],
      ['two', 'production'],
    ])
      await bob.announced({ message: 'x', url: `https://example.org/${project}/x`, environment })
    const given = { user: bob.username, project: 'example.org', from: 'staging', to: 'production' }
    const { text } = await call(await connected(service), 'what_changed', given)
    expect(text).toContain('several projects')
  })

  test('is not there if nothing can be searched', async () => {
    const listed = capabilities.filter((capability) => capability !== searchCapability)
    await using without = await startService({ MCP: 'read' }, null, 0, listed)
    const { tools } = await (await connected(without)).listTools()
    expect(tools.map(({ name }) => name)).not.toContain('search')
  })
})

describe('where only members may read', () => {
  test('a token that may read opens it, and no other', async () => {
    await using closed = await startService({ MCP: 'read', VISIBILITY: 'members' })
    const bearing = (token: string) => ({ Authorization: `Bearer ${token}` })
    const { token: reading } = await addToken(ada, { name: 'reads', announce: '', read: 'on' })
    const client = await connected(closed, 'auto', bearing(reading))
    expect((await call(client, 'recent', { user: ada.username })).found.deployments.length).toBe(3)
    await expect(connected(closed)).rejects.toThrow('HTTP 401')
    const { token: announcing } = await addToken(ada, { name: 'announces' })
    await expect(connected(closed, 'auto', bearing(announcing))).rejects.toThrow('HTTP 403')
  })
})
