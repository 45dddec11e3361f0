import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { argoCd as argoCdSnippet, flux as fluxSnippet } from '../../src/views/parts/deployers.ts'
import { pipelineSnippets } from '../../src/views/parts/pipelines.ts'
import { argoCd, flux, type Notification } from '../support/ci/deployers.ts'
import { forgejo, gitHub } from '../support/ci/github.ts'
import { gitLab } from '../support/ci/gitlab.ts'
import { jenkins } from '../support/ci/jenkins.ts'
import { type Ci, makeRepository, type Outcome, type Repository, type Run } from '../support/ci/job.ts'
import { impatient, startTroubledServer } from '../support/ci/server.ts'
import { shell } from '../support/ci/shell.ts'
import { woodpecker } from '../support/ci/woodpecker.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** What the snippets of the docs and the settings do, each on a stand-in for its CI, with real shells and curl. */
const service = await useService()
const poster = await signUpPoster(service)
const other = await signUpPoster(service)
const server = await startTroubledServer(service)
const directory = temporaryDirectory()
afterAll(async () => {
  await server.stop()
  directory.remove()
})

/** Each CI with where an announcement leads, and whether it knows its runs. */
const cis: readonly (readonly [name: string, ci: Ci, link: ((repository: Repository) => string) | null])[] = [
  ['GitHub', gitHub, ({ sha }) => `https://github.com/ada/engine/commit/${sha}`],
  ['GitLab', gitLab, ({ sha }) => `https://gitlab.example/ada/engine/-/commit/${sha}`],
  ['Forgejo', forgejo, ({ sha }) => `https://forgejo.example/ada/engine/commit/${sha}`],
  ['Woodpecker', woodpecker, ({ sha }) => `https://codeberg.example/ada/engine/commit/${sha}`],
  ['Jenkins', jenkins, () => expect.stringContaining('https://jenkins.example/job/engine/')],
  ['Shell', shell, null],
]

let numbers = 0

/** A run in a fresh repository with one commit. */
async function freshRun(message: string, more: Partial<Run> = {}): Promise<Run> {
  const number = ++numbers
  const repository = await makeRepository(join(directory.path, String(number)), message)
  return { repository, number, token: poster.token, ...more }
}

/** Runs the pipeline into which the snippet was pasted. */
async function start(ci: Ci, snippet: string, run: Run): Promise<Outcome> {
  const outcome = await ci(snippet, run)
  expect(outcome.log).not.toContain(poster.token)
  return outcome
}

function snippetOf(name: string, baseUrl: string): string {
  const [, code = ''] = pipelineSnippets(baseUrl).find(([known]) => known === name) ?? []
  return code
}

type Announced = { readonly message: string; readonly url: string | null; readonly category: string | null }

/** What was announced with this in its message. */
async function announced(mark: string): Promise<readonly Announced[]> {
  const response = await service.fetch(`/api/deployments?user=${poster.username}&limit=100`)
  const { deployments } = (await response.json()) as { deployments: readonly Announced[] }
  return deployments.filter(({ message }) => message.includes(mark))
}

const works = () => server.address('works', crypto.randomUUID())
const marked = () => crypto.randomUUID()

test('there is a stand-in for each snippet', () => {
  const names = [...cis.map(([name]) => name), 'Argo CD', 'Flux']
  expect(
    pipelineSnippets('')
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(names.toSorted())
})

describe.concurrent.each(cis)('a fresh repository on %s', (name, ci, link) => {
  const goesOn = { passes: true, warning: null }
  const at = (baseUrl: string) => snippetOf(name, baseUrl)
  const announce = async (message: string, baseUrl = works()) => {
    const run = await freshRun(message)
    expect(await start(ci, at(baseUrl), run)).toMatchObject(goesOn)
    return run
  }

  test('announces from the snippet alone: once a run, and once more if that is started again', async () => {
    const mark = marked()
    const run = await announce(`fix: a thing ${mark}\n\nMore of it.`)
    const url = link === null ? null : link(run.repository)
    const once = { message: `fix: a thing ${mark}`, url, category: 'bug_fix' }
    expect(await announced(mark)).toEqual([expect.objectContaining(once)])
    // The same job in the same run is a retry, wherever a job knows its run.
    if (link !== null) await start(ci, at(works()), run)
    expect(await announced(mark)).toHaveLength(1)
    await start(ci, at(works()), { ...run, attempt: 2 })
    expect(await announced(mark)).toHaveLength(2)
  })

  const hostile = [
    ['quotes', '✨ "it\'s" \'"\'"\' ""'],
    ['commands', '$(touch owned) `touch owned` ; touch owned & touch owned | touch owned'],
    ['expressions', `$HOME \${HOME} \${{ secrets.SHIPFEED_TOKEN }} $[[ inputs.x ]] %PATH% {{ . }}`],
    ['escapes', '\\n \\u0041 \\c %s %d %0A ::error::x'],
    ['an at sign first', '@/etc/passwd'],
    ['a hyphen first', '-d x=y --data-urlencode'],
  ] as const

  test.each(hostile)('announces %s as they are, and runs none of it', async (_, text) => {
    const mark = marked()
    const { repository } = await announce(`${text} ${mark}\n\n${text}\n@x\n-x`)
    expect((await announced(mark)).map(({ message }) => message)).toEqual([`${text} ${mark}`])
    expect(await Array.fromAsync(new Bun.Glob('**/owned').scan(repository.path))).toEqual([])
  })

  test('announces as much of a line of 30 KB as fits', async () => {
    const line = `${marked()} ${'é"$`'.repeat(6_000)}`
    await announce(`${line}\n\nBody`)
    const [{ message } = { message: '' }] = await announced(line.slice(0, 36))
    expect(message).toEndWith('…')
    expect(line).toStartWith(message.slice(0, -1))
    expect(Buffer.byteLength(message)).toBeGreaterThan(4_080)
  })

  test('announces of a merge what was merged', async () => {
    const mark = marked()
    await announce(`Merge pull request #12 from ada/login\n\nfeat: log in ${mark}\n\nMore`)
    await announce(`Merge pull request 'feat: "log" in ${mark}' (#12) from login into main\n\nReviewed-on: x`)
    await announce(`feat: log in, squashed ${mark} (#12)\n\n* one\n* two`)
    expect((await announced(mark)).map(({ message }) => message)).toEqual([
      `feat: log in, squashed ${mark} (#12)`,
      `feat: "log" in ${mark}`,
      `feat: log in ${mark}`,
    ])
  })

  const outlasted = ['is slow', 'refuses once, for it is too often', 'loses its answer'] as const

  test.each(outlasted)('announces once though the server %s', async (trouble) => {
    const mark = marked()
    await announce(mark, server.address(trouble, mark))
    expect(await announced(mark)).toHaveLength(1)
    expect(new Set(server.keys(mark)).size).toBe(1)
    expect(server.keys(mark).length).toBe(trouble === 'is slow' ? 1 : 2)
  })

  test('announces once though the server restarts', async () => {
    const port = freePort()
    const mark = marked()
    const starting = Bun.sleep(1_200).then(() => startTroubledServer(service, port))
    await announce(mark, `http://127.0.0.1:${port}/works/${mark}`)
    await (await starting).stop()
    expect(await announced(mark)).toHaveLength(1)
  })

  const refusals: readonly (readonly [
    what: string,
    baseUrl: () => string,
    more: Partial<Run>,
    why: RegExp,
  ])[] = [
    ['the token is wrong', works, { token: 'ship_x' }, /Unauthorized.*\(401\)/],
    ['there is no token', works, { token: '' }, /SHIPFEED_TOKEN is not set/],
    ['it is not valid', works, { environment: { SHIPFEED_CATEGORY: 'chore' } }, /"category".*\(422\)/],
    [
      'it is too often',
      () => server.address('refuses, for it is too often', marked()),
      {},
      /limited.*\(429\)/,
    ],
    ['the server hangs', () => server.address('hangs', marked()), {}, /timed out.*\(000\)/],
    ['the server goes down', () => server.gone, {}, /refused|connect/i],
    ['the server is down', () => `http://127.0.0.1:${freePort()}`, {}, /not announced|curl: \(7\)/],
    ['the script breaks off', () => server.half, {}, /not announced|curl: \(18\)/],
  ]

  test.each(refusals)(
    'goes on with a warning where %s, and fails if asked to',
    async (_, baseUrl, more, why) => {
      const mark = marked()
      const snippet = impatient(at(baseUrl()))
      const run = await freshRun(mark, more)
      const asked = { ...run, environment: { ...run.environment, SHIPFEED_FAIL: 'true' } }
      const runs = isAskedByItself(snippet) ? [run] : [run, asked]
      const outcomes = await Promise.all(runs.map((run) => start(ci, snippet, run)))
      expect(outcomes.map(({ passes }) => passes)).toEqual([true, false].slice(0, runs.length))
      for (const { warning } of outcomes) expect(warning ?? '').toMatch(why)
      expect(await announced(mark)).toEqual([])
    },
  )

  test('knows no option that curl 7.55 does not know, and has the time to wait out the minute of a 429', () => {
    const [, options = ''] = /curl ((?:-[^ ]+ (?:[\w./]+ )?)+)http/.exec(at('http://x')) ?? []
    const known = ['-sSf', '-o', '--max-time', '--retry', '--retry-connrefused', '--retry-max-time']
    expect(options.split(' ').filter((word) => word.startsWith('-') && !known.includes(word))).toEqual([])
    expect(Number(/--retry-max-time (\d+)/.exec(options)?.[1])).toBeGreaterThan(60)
  })
})

/** Whether its CI is what turns a failure into a warning. */
function isAskedByItself(snippet: string): boolean {
  return /SHIPFEED_FAIL(: 'true'|=true)/.test(snippet)
}

describe('what deploys by itself', () => {
  const texts = [
    'engine',
    '"it\'s" $(x) `x` \\n \\u0041 {{ . }}',
    '@/etc/passwd',
    '-d x=y',
    'two\nlines',
    'é'.repeat(1_000),
  ]
  const send = async ({ address, headers, body }: Notification) =>
    await service.fetch(new URL(address).pathname, { method: 'POST', headers, body })
  const newest = async () => {
    const response = await service.fetch(`/api/deployments?user=${other.username}&limit=1`)
    return ((await response.json()) as { deployments: readonly Announced[] }).deployments[0]
  }

  test.each(texts)('Argo CD announces %p', async (name) => {
    const application = { name, repository: 'https://git.example/ada/engine', revision: 'c0ffee' }
    const response = await send(argoCd(argoCdSnippet(service.url), application, other.token))
    expect(response.status).toBe(201)
    const url = 'https://git.example/ada/engine'
    expect(await newest()).toMatchObject({ message: `${name} is at c0ffee`, url })
  })

  test.each(texts)('Flux announces %p', async (text) => {
    const message = `Applied revision: ${text}`
    const event = { kind: 'Kustomization', message, revision: 'main@sha1:c0ffee' }
    const notification = flux(fluxSnippet(service.url), event, other.token)
    expect((await send(notification as Notification)).status).toBe(201)
    expect((await newest())?.message).toBe(message)
  })

  test('Flux announces nothing else that happens', () => {
    const event = { kind: 'Kustomization', message: 'Reconciliation finished', revision: '' }
    expect(flux(fluxSnippet(service.url), event, '')).toBeNull()
    expect(flux(fluxSnippet(service.url), { ...event, kind: 'GitRepository' }, '')).toBeNull()
  })

  test.each([
    [401, 'engine', 'ship_x'],
    [422, 'x'.repeat(30_000), null],
  ])('both are told %d, and why', async (status, text, token) => {
    const application = { name: text, repository: 'https://git.example/x', revision: 'c0ffee' }
    const event = { kind: 'Kustomization', message: `Applied revision: ${text}`, revision: '' }
    const sent = [
      argoCd(argoCdSnippet(service.url), application, token ?? other.token),
      flux(fluxSnippet(service.url), event, token ?? other.token),
    ]
    for (const notification of sent) expect((await send(notification as Notification)).status).toBe(status)
  })
})

test('no secret and no message was on a command line', () => {
  const lines = [...server.commandLines]
  expect(lines.filter((line) => line.startsWith('curl ') && line.includes('/api')).length).toBeGreaterThan(50)
  expect(lines.filter((line) => line.includes(poster.token) || line.includes('touch owned'))).toEqual([])
})
