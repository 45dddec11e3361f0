import { afterAll, describe, expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretlessSnippets } from '../../src/views/parts/pipeline-snippets.ts'
import { runScript } from '../support/ci/script.ts'
import { needing } from '../support/needs/needs.ts'
import { gitHubClaims, gitLabClaims } from '../support/oidc/claims.ts'
import { startIssuer } from '../support/oidc/issuer.ts'
import { signUp } from '../support/people.ts'
import { temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** Runs ci/announce.sh in a pipeline without a secret, with a stand-in for its CI. */
const { test } = needing('curl', 'dash')
const issuer = await startIssuer()
afterAll(issuer[Symbol.asyncDispose])
const service = await useService(issuer.environment)
const person = await signUp(service)
for (const kind of ['github', 'gitlab'] as const) {
  await person.send('/settings/publishers', { issuer: issuer.addressOf(kind), repository: 'ada/engine' })
}
const script = readFileSync(join(import.meta.dir, '../../ci/announce.sh'), 'utf8')

/** The service as reached from outside: counts the calls, and can fail one after it was served. */
const calls: string[] = []
const secrets = new Set<string>()
const commandLines = new Set<string>()
let loses = 0
let refuses = false
const door = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const { method, headers, url } = request
    if (new URL(url).pathname.startsWith('/ci/')) return new Response(script)
    const call = `${method} ${new URL(url).pathname}`
    calls.push(call)
    noteCommandLines()
    if (refuses && call === 'POST /api') return new Response('', { status: 400 })
    const body = method === 'POST' ? await request.text() : null
    const answer = await service.fetch(new URL(url).pathname, { method, headers, body })
    for (const [token] of (await answer.clone().text()).matchAll(/ship_\w+/g)) secrets.add(token)
    if (call === 'POST /api/oidc' && loses-- > 0) return new Response('lost', { status: 503 })
    return answer
  },
})
afterAll(() => door.stop(true))

/** Where a job on GitHub requests its identity token. */
const runner = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch({ url, headers }) {
    const audience = new URL(url).searchParams.get('audience')
    calls.push(`identity for ${audience} of ${headers.get('authorization')}`)
    noteCommandLines()
    const jwt = await issuer.sign(gitHubClaims(issuer))
    secrets.add(jwt)
    return Response.json({ count: 1, value: jwt })
  },
})
afterAll(() => runner.stop(true))

function noteCommandLines(): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      commandLines.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    } catch {
      // It has ended in the meantime.
    }
  }
}

const audience = 'http://shipfeed.test'
const gitHub = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'ada/engine',
  ACTIONS_ID_TOKEN_REQUEST_URL: `${runner.url.origin}/?api-version=2.0`,
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
}

const directory = temporaryDirectory()
afterAll(directory.remove)

async function run(environment: Record<string, string>, text = script) {
  calls.length = 0
  const { exitCode, output, errors } = await runScript(text, {
    cwd: directory.path,
    env: {
      SHIPFEED_URL: door.url.origin,
      SHIPFEED_AUDIENCE: audience,
      SHIPFEED_USER: person.username,
      SHIPFEED_MESSAGE: 'Without a secret',
      ...environment,
    },
  })
  for (const secret of [...secrets, 'of-the-runner']) expect(output + errors).not.toContain(secret)
  return { exitCode, said: output + errors }
}

const asked = `identity for ${audience} of Bearer of-the-runner`

test('on GitHub, a job requests an identity token, exchanges it, announces, and ends the token it got', async () => {
  const { exitCode, said } = await run(gitHub)
  expect(said).toMatch(/^Announced\n/)
  expect([exitCode, calls]).toEqual([0, [asked, 'POST /api/oidc', 'POST /api', 'DELETE /api/oidc']])
})

test('on GitLab, and any CI that hands a job its identity token, that token is exchanged', async () => {
  const SHIPFEED_ID_TOKEN = await issuer.sign(gitLabClaims(issuer))
  secrets.add(SHIPFEED_ID_TOKEN)
  expect((await run({ SHIPFEED_ID_TOKEN })).said).toMatch(/^Announced\n/)
  expect(calls).toEqual(['POST /api/oidc', 'POST /api', 'DELETE /api/oidc'])
})

test('on GitHub, a lost answer costs an identity token, and the job requests another', async () => {
  loses = 1
  expect((await run(gitHub)).said).toMatch(/^Announced\n/)
  const exchanges = [asked, 'POST /api/oidc', 'POST /api/oidc', asked, 'POST /api/oidc']
  expect(calls).toEqual([...exchanges, 'POST /api', 'DELETE /api/oidc'])
})

describe('the snippets of the docs announce by themselves:', () => {
  const of = { baseUrl: door.url.origin, audience, username: person.username }
  const snippets = new Map(secretlessSnippets(of))

  test('GitHub', async () => {
    const [step] = Bun.YAML.parse(snippets.get('GitHub') ?? '') as [
      { run: string; env: Record<string, string> },
    ]
    expect(step.env).toMatchObject({ SHIPFEED_USER: person.username, SHIPFEED_AUDIENCE: audience })
    expect((await run({ ...gitHub, SHIPFEED_USER: step.env.SHIPFEED_USER ?? '' }, step.run)).said).toMatch(
      /^Announced\n/,
    )
  })

  test('GitLab', async () => {
    const { announce } = Bun.YAML.parse(snippets.get('GitLab') ?? '') as {
      announce: { script: string[]; id_tokens: { SHIPFEED_ID_TOKEN: { aud: string } } }
    }
    const { aud } = announce.id_tokens.SHIPFEED_ID_TOKEN
    const SHIPFEED_ID_TOKEN = await issuer.sign(gitLabClaims(issuer, { aud }))
    const { said } = await run({ SHIPFEED_ID_TOKEN, SHIPFEED_USER: '' }, announce.script.join('\n'))
    expect(said).toMatch(/^Announced\n/)
  })
})

test('SHIPFEED_TOKEN takes precedence', async () => {
  expect((await run({ ...gitHub, SHIPFEED_TOKEN: 'ship_x' })).said).toContain('(401)')
  expect(calls).toEqual(['POST /api'])
})

test('the token ends even if nothing is announced', async () => {
  refuses = true
  expect((await run(gitHub)).said).toContain('was not announced:  (400)')
  refuses = false
  expect(calls.at(-1)).toBe('DELETE /api/oidc')
})

describe('a warning says what is missing:', () => {
  test.each<[string, Record<string, string>, RegExp]>([
    ['the permission on GitHub', { GITHUB_ACTIONS: 'true' }, /^::warning .*permissions: id-token: write/],
    ['the identity token on another CI', {}, /SHIPFEED_ID_TOKEN is not set.*id_tokens/],
    [
      'the publisher',
      { ...gitHub, SHIPFEED_USER: 'nobody-at-all' },
      /this user has no such publisher.*\(403\)/,
    ],
    ['the token or the user', { SHIPFEED_USER: '' }, /SHIPFEED_TOKEN is not set/],
    ['a valid identity token', { SHIPFEED_ID_TOKEN: 'x' }, /Unauthorized.*\(401\)/],
  ])('%s', async (_, environment, reason) => {
    const { exitCode, said } = await run(environment)
    expect([exitCode, said]).toEqual([0, expect.stringMatching(reason)])
    expect((await run({ ...environment, SHIPFEED_FAIL: 'true' })).exitCode).toBe(1)
  })
})

test('no secret was on a command line', () => {
  expect([...commandLines].filter((line) => line.startsWith('curl ')).length).toBeGreaterThanOrEqual(4)
  expect(secrets.size).toBeGreaterThan(5)
  for (const secret of [...secrets, 'of-the-runner']) {
    expect([...commandLines].filter((line) => line.includes(secret))).toEqual([])
  }
})
