import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { argoCd as argoCdManifests, argoCdSnippet } from '../../src/capabilities/cdevents/argo-cd.ts'
import { fluxSnippet } from '../../src/capabilities/intakes/flux-manifests.ts'
import { joinSlots } from '../../src/views/page/slots.ts'
import { pipelineSnippets } from '../../src/views/parts/pipeline-snippets.ts'
import { payloadIn } from '../fixtures/files.ts'
import { type Ci, makeRepository, type Outcome, type Repository, type Run } from '../support/ci/job.ts'
import { impatient, startTroubledServer } from '../support/ci/server.ts'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'
import { type Application, argoCd, buildArgoCd, type Notification } from './services/argo-cd.ts'
import { forgejo, gitHub } from './services/github.ts'
import { gitLab } from './services/gitlab.ts'
import { jenkins } from './services/jenkins.ts'
import { shell } from './services/shell.ts'
import { woodpecker } from './services/woodpecker.ts'

/** Runs the snippets of the docs and the settings, each on a stand-in for its CI, with real shells and curl. */
const service = await useService()
const poster = await signUpPoster(service)
const other = await signUpPoster(service)
const server = await startTroubledServer(service)
const directory = temporaryDirectory()
afterAll(async () => {
  await server.stop()
  directory.remove()
})

/** Each CI with the link of its announcements. The one without a link does not know its runs either. */
const cis: readonly (readonly [name: string, ci: Ci, link: ((repository: Repository) => string) | null])[] = [
  ['GitHub', gitHub, ({ sha }) => `https://github.com/ada/engine/commit/${sha}`],
  ['GitLab', gitLab, ({ sha }) => `https://gitlab.example/ada/engine/-/commit/${sha}`],
  ['Forgejo', forgejo, ({ sha }) => `https://forgejo.example/ada/engine/commit/${sha}`],
  ['Woodpecker', woodpecker, ({ sha }) => `https://codeberg.example/ada/engine/commit/${sha}`],
  ['Jenkins', jenkins, ({ sha }) => `https://git.example/ada/engine/commit/${sha}`],
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

const snippetsAt = (baseUrl: string) =>
  pipelineSnippets({ baseUrl, slots: joinSlots([argoCdSnippet, fluxSnippet]) })

function snippetOf(name: string, baseUrl: string): string {
  const [, code = ''] = snippetsAt(baseUrl).find(([known]) => known === name) ?? []
  return code
}

type Announced = { readonly message: string; readonly url: string | null; readonly category: string | null }

/** The announcements with this text in their message. */
async function announced(mark: string): Promise<readonly Announced[]> {
  let response = Response.error()
  // On a busy machine, the answer is sometimes 503.
  await eventually('there is a list', async () => {
    response = await service.fetch(`/api/deployments?user=${poster.username}&limit=100`)
    return response.status === 200
  })
  const { deployments } = (await response.json()) as { deployments: readonly Announced[] }
  return deployments.filter(({ message }) => message.includes(mark))
}

const works = () => server.address('works', crypto.randomUUID())
const marked = () => crypto.randomUUID()

const needs = ['curl', 'git']

test('there is a stand-in for each snippet', () => {
  const names = [...cis.map(([name]) => name), 'Argo CD', 'Flux']
  expect(
    snippetsAt('')
      .map(([name]) => name)
      .toSorted(),
  ).toEqual(names.toSorted())
})

describe.concurrent.each(cis)('a fresh repository on %s', (name, ci, link) => {
  const { test } = needing(...needs)
  const goesOn = { passes: true, warning: null }
  const at = (baseUrl: string) => snippetOf(name, baseUrl)
  const announce = async (message: string, baseUrl = works()) => {
    const run = await freshRun(message)
    expect(await start(ci, at(baseUrl), run)).toMatchObject(goesOn)
    return run
  }

  test('announces with the snippet alone: once a run, and again if the run is started again', async () => {
    const mark = marked()
    const run = await announce(`fix: a thing ${mark}\n\nMore of it.`)
    const url = link === null ? null : link(run.repository)
    const once = { message: `fix: a thing ${mark}`, url, category: 'bug_fix' }
    expect(await announced(mark)).toEqual([expect.objectContaining(once)])
    // The same job in the same run is a retry, if a job knows its run.
    if (link !== null) await start(ci, at(works()), run)
    expect(await announced(mark)).toHaveLength(1)
    await start(ci, at(works()), { ...run, attempt: 2 })
    expect(await announced(mark)).toHaveLength(2)
  })

  const hostile = [
    [
      'quotes, commands, expressions and escapes',
      `✨ "it's" '"'"' "" $(touch owned) \`touch owned\` ; touch owned & touch owned | touch owned ` +
        `$HOME \${HOME} \${{ secrets.SHIPFEED_TOKEN }} $[[ inputs.x ]] %PATH% {{ . }} ` +
        String.raw`\n \u0041 \c %s %d %0A ::error::x`,
    ],
    ['an at sign first', '@/etc/passwd'],
    ['a hyphen first', '-d x=y --data-urlencode'],
  ] as const

  test.each(hostile)('announces %s unchanged, and executes none of it', async (_, text) => {
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

  test('announces the merged change of a merge', async () => {
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

  const outlasted = [
    ['is slow', [201]],
    ['refuses once, for it is too often', [429, 201]],
    ['loses its answer', [502, 201]],
  ] as const

  test.each(outlasted)('announces once although the server %s', async (trouble, answers) => {
    const mark = marked()
    await announce(mark, server.address(trouble, mark))
    expect(await announced(mark)).toHaveLength(1)
    expect(new Set(server.keys(mark)).size).toBe(1)
    // On a busy machine, the service also answers with 503, or so late that nobody waits for it.
    expect(server.answers(mark).filter((status) => status !== 503)).toEqual([...answers])
  })

  // Where a person may wait, the script is fetched at once or not at all.
  if (name !== 'Shell')
    test('announces once although the server restarts', async () => {
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
    ['a field is not valid', works, { environment: { SHIPFEED_CATEGORY: 'chore' } }, /"category".*\(422\)/],
    [
      'it announces too often',
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
    'goes on with a warning if %s, and fails if asked to',
    async (_, baseUrl, more, why) => {
      const mark = marked()
      const snippet = impatient(at(baseUrl()))
      const run = await freshRun(mark, more)
      const asked = { ...run, environment: { ...run.environment, SHIPFEED_FAIL: 'true' } }
      const runs = canBeAsked(snippet) ? [run, asked] : [run]
      const outcomes = await Promise.all(runs.map((run) => start(ci, snippet, run)))
      expect(outcomes.map(({ passes }) => passes)).toEqual([true, false].slice(0, runs.length))
      for (const { warning } of outcomes) expect(warning ?? '').toMatch(why)
      expect(await announced(mark)).toEqual([])
    },
  )
})

test.each(cis)(
  'the snippet of %s uses only options of curl 7.55, and retries for longer than the minute of a 429 unless it never waits',
  (name) => {
    const snippet = snippetOf(name, 'http://x').replace(/ \\\n */g, ' ')
    const [, options = ''] = /curl ((?:-[^ ]+ (?:[\w./]+ )?)+)http/.exec(snippet) ?? []
    const known = ['-sSf', '-o', '--max-time', '--retry', '--retry-connrefused', '--retry-max-time']
    expect(options.split(' ').filter((word) => word.startsWith('-') && !known.includes(word))).toEqual([])
    const [, seconds = name === 'Shell' ? '61' : ''] = /--retry-max-time (\d+)/.exec(options) ?? []
    expect(Number(seconds)).toBeGreaterThan(60)
  },
)

/** Not if the snippet itself asks to fail, because its CI turns a failure into a warning, or if it never fails. */
function canBeAsked(snippet: string): boolean {
  return !/SHIPFEED_FAIL(: 'true'|=true)|\| sh \|\| true$/.test(snippet)
}

const packagesOfGo = ['golang-github-antonmedv-expr-dev', 'golang-github-masterminds-sprig-dev']

needing('go', ...packagesOfGo).describe('Argo CD', () => {
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

  let engine = ''
  beforeAll(async () => {
    engine = await buildArgoCd(directory.path)
  })

  const sha = '0123456789abcdef0123456789abcdef01234567'
  const uids: Record<string, string> = {}
  /** An application that was synced, as its cluster describes it. */
  const application = (sources: readonly object[], revisions: readonly string[], more: object = {}) => {
    const isOne = sources.length === 1
    const { name = 'engine', destination = { server: 'https://10.0.0.1', namespace: 'production' } } =
      more as {
        name?: string
        destination?: object
      }
    uids[name] ??= crypto.randomUUID()
    const result = isOne
      ? { revision: revisions[0], source: sources[0] }
      : { revision: '', revisions, source: { repoURL: '' }, sources }
    const app: Application = {
      metadata: { name, namespace: 'argocd', uid: uids[name] },
      spec: { destination, ...(isOne ? { source: sources[0] } : { sources }) },
      status: {
        health: { status: 'Healthy' },
        sync: isOne ? { revision: revisions[0] } : { revisions },
        operationState: { phase: 'Succeeded', finishedAt: '2026-11-22T06:00:00Z', syncResult: result },
      },
    }
    return app
  }
  const decide = async (app: Application, token = other.token) =>
    await argoCd(engine, argoCdManifests(service.url), app, token)
  const sendOf = async (app: Application, token?: string) => {
    const decided = await decide(app, token)
    if (decided === null) throw new Error('Argo CD does not send it')
    return await send(decided.notification)
  }

  test.each(texts)('Argo CD announces %p', async (name) => {
    const app = application([{ repoURL: 'https://git.example/ada/engine', path: '.' }], [sha], { name })
    expect((await sendOf(app)).status).toBe(201)
    const url = 'https://git.example/ada/engine'
    const told = { message: `${name} is at ${sha}`, url, commit: sha, environment: 'production' }
    expect(await newest()).toMatchObject(told)
  })

  const git = (repoURL: string) => ({ repoURL, path: 'deploy', targetRevision: 'HEAD' })
  const chart = { repoURL: 'https://charts.example/stable', chart: 'engine', targetRevision: '1.2.*' }
  const fromRegistry = { ...chart, repoURL: 'registry.example/charts' }
  const page = 'https://git.example/ada/engine'
  const none = { commit: undefined, version: undefined }
  test.each([
    ['a source by ssh', [git('git@git.example:ada/engine.git')], [sha], { url: page, commit: sha }],
    [
      'a source by ssh://',
      [git('ssh://git@git.example:2222/ada/engine.git')],
      [sha],
      { url: page, commit: sha },
    ],
    ['a source with .git', [git(`${page}.git`)], [sha], { url: page, commit: sha }],
    [
      'a source with a password',
      [git('https://a:b@git.example/ada/engine')],
      [sha],
      { url: page, commit: sha },
    ],
    ['a chart', [chart], ['1.2.3+7'], { url: chart.repoURL, version: '1.2.3+7', commit: undefined }],
    ['a chart of a registry', [fromRegistry], ['1.2.3'], { url: null, version: '1.2.3', commit: undefined }],
    [
      'a chart and its values',
      [chart, git(`${page}.git`)],
      ['1.2.3', sha],
      { url: page, commit: sha, version: '1.2.3' },
    ],
    [
      'two repositories',
      [git(page), git('https://git.example/ada/values')],
      [sha, `f${sha.slice(1)}`],
      { url: page, commit: sha },
    ],
    ['no source that it names', [{}], ['abc'], { url: null, ...none }],
    ['fewer revisions than sources', [git(page), chart], [sha], { url: page, commit: sha }],
  ] as const)('Argo CD announces an application of %s', async (what, sources, revisions, told) => {
    expect((await sendOf(application(sources, revisions, { name: what }))).status).toBe(201)
    const { commit, version, ...newestOne } = (await newest()) as Announced & Record<string, unknown>
    expect({ commit, version, ...newestOne }).toMatchObject({
      message: `${what} is at ${revisions.join(', ')}`,
      environment: 'production',
      ...told,
    })
  })

  test('Argo CD sends each state of all sources once, and sending it again announces nothing new', async () => {
    const [one, other] = [sha, `f${sha.slice(1)}`]
    const several = [git(page), git('https://git.example/ada/values')]
    const name = 'again'
    const apps = [
      ...[application([git(page)], [one], { name }), application([git(page)], [other], { name })],
      ...[application(several, [one, one], { name }), application(several, [one, other], { name })],
    ]
    const decided = await Promise.all(apps.map((app) => decide(app)))
    expect(new Set(decided.map((each) => each?.oncePer)).size).toBe(4)
    const answers: Response[] = []
    for (const app of [...apps, ...apps]) answers.push(await sendOf(app))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201))
    expect(answers.map(({ headers }) => headers.has('idempotent-replayed'))).toEqual([
      ...Array(4).fill(false),
      ...Array(4).fill(true),
    ])
  })

  test('Argo CD sends nothing before the first sync, or after a failed one', async () => {
    const app = application([git(page)], [sha])
    for (const status of [
      { health: { status: 'Healthy' } },
      { ...app.status, operationState: { phase: 'Failed' } },
    ]) {
      expect(await decide({ ...app, status })).toBeNull()
    }
  })

  test.each([
    [{ namespace: '', name: 'eu (1)' }, 'eu__1_'],
    [{ server: 'https://kubernetes.default.svc' }, 'in-cluster'],
    [{ namespace: 'n'.repeat(63) }, 'n'.repeat(63)],
    [{ name: 'x'.repeat(80) }, 'x'.repeat(64)],
  ])('Argo CD announces the environment of the destination %j', async (destination, environment) => {
    const name = `to ${environment}`
    expect((await sendOf(application([git(page)], [sha], { name, destination }))).status).toBe(201)
    expect(await newest()).toMatchObject({ environment })
  })

  test('Argo CD announces a rollback to a state that was announced before', async () => {
    const app = await payloadIn<Application & { status: { history: { id: number; revision: string }[] } }>(
      'argo-cd/application.json',
    )
    const { history, operationState } = app.status as typeof app.status & {
      operationState: { syncResult: object }
    }
    const [older, newer] = history as [(typeof history)[number], (typeof history)[number]]
    /** The application as it is once Argo CD has added this entry to its history. */
    const at = (entries: typeof history): Application => {
      const { revision = '' } = entries.at(-1) ?? {}
      const synced = { ...operationState, syncResult: { ...operationState.syncResult, revision } }
      return { ...app, status: { ...app.status, history: entries, operationState: synced } }
    }
    const states = [[older], [older, newer], [older, newer, { ...older, id: 5 }]]
    const oncePer = new Set<string | undefined>()
    for (const entries of states) {
      const decided = await decide(at(entries))
      oncePer.add(decided?.oncePer)
      const answer = await send(decided?.notification as Notification)
      expect([answer.status, answer.headers.has('idempotent-replayed')]).toEqual([201, false])
    }
    expect(oncePer.size).toBe(3)
    const { current } = (await (await service.fetch(`/api/current?user=${other.username}`)).json()) as {
      current: { target: string; commit: string }[]
    }
    const live = current.find(({ target }) => target === 'github.com/ada/precisely-gitsource')
    expect(live?.commit).toBe(older.revision)
    const { deployments } = (await (
      await service.fetch(`/api/deployments?user=${other.username}&target=${live?.target}&limit=1`)
    ).json()) as { deployments: object[] }
    expect(deployments[0]).toMatchObject({ rollback: true, previous: { commit: newer.revision } })
  })

  test('Argo CD announces the state of an application whose history is not kept', async () => {
    const app = application([git(page)], [sha], { name: 'without history' })
    for (const history of [[], null]) {
      const { status } = await sendOf({ ...app, status: { ...app.status, history } })
      expect(status).toBe(201)
    }
  })

  test.each([
    [401, 'engine', 'ship_x'],
    [422, 'x'.repeat(30_000), null],
  ])('is answered with %d', async (status, text, token) => {
    const app = application([git(page)], [sha], { name: text })
    expect((await sendOf(app, token ?? other.token)).status).toBe(status)
  })
})

needing(...needs).test('no secret and no message was on a command line', () => {
  const lines = [...server.commandLines]
  expect(lines.filter((line) => line.startsWith('curl ') && line.includes('/api')).length).toBeGreaterThan(50)
  expect(lines.filter((line) => line.includes(poster.token) || line.includes('touch owned'))).toEqual([])
})
