import { afterAll, beforeEach, describe, expect } from 'bun:test'
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { stages } from '../../src/domain/environment/stages.ts'
import { payloadIn } from '../fixtures/files.ts'
import { runScript } from '../support/ci/script.ts'
import { runningCommands } from '../support/ci/server.ts'
import { needing, testEach } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'
import { type Forge, type ForgeKind, forge, trickyName } from './forges.ts'

/** Runs ci/history.sh in real shells, with a real curl and a real git. */
const { test } = needing('curl', 'git', 'dash')
const port = freePort()
const address = `http://127.0.0.1:${port}`
const service = await useService({ BASE_URL: address }, null, port)
const script = await (await service.fetch('/ci/history.sh')).text()

const directory = temporaryDirectory()
afterAll(directory.remove)
/** A checkout, without a commit before each test. */
let folder = ''
let count = 0
let ada: Poster
beforeEach(async () => {
  count += 1
  folder = join(directory.path, String(count))
  mkdirSync(folder)
  git({}, 'init')
  ada = await signUpPoster(service)
})

type Environment = Readonly<Record<string, string>>

function git(environment: Environment, ...words: string[]): string {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=a@b.example', '-c', 'i18n.commitEncoding=UTF-8']
  return Bun.spawnSync(['git', ...who, ...words], { cwd: folder, env: { ...process.env, ...environment } })
    .stdout.toString()
    .trim()
}

function commit(message: string, date: string): string {
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  git(dates, 'commit', '--allow-empty', '--allow-empty-message', '--message', message)
  return git({}, 'rev-parse', 'HEAD')
}

function run(environment: Environment = {}, { shell = 'dash', words = [] as string[], text = script } = {}) {
  return runScript(text, { cwd: folder, env: { SHIPFEED_TOKEN: ada.token, ...environment }, shell, words })
}

type Listed = Readonly<Record<string, unknown>> & { readonly message: string }

/** What is on the profile, the oldest first. */
async function listed(): Promise<Listed[]> {
  const response = await service.fetch(`/api/deployments?user=${ada.username}&limit=100`)
  return ((await response.json()) as { deployments: Listed[] }).deployments.reverse()
}

/** Adds the remote of this forge, and gives the environment of a run with its token. */
const withForge = ({ remote }: Forge, kind: ForgeKind): Environment => {
  git({}, 'remote', 'add', 'origin', remote)
  return { SHIPFEED_FORGE_TOKEN: 'forge_token', SHIPFEED_FORGE: kind }
}

/** A PATH on which `awk` is this program. */
function withAwk(awk: string): string {
  const bin = join(directory.path, `bin-${count}`)
  mkdirSync(bin)
  symlinkSync(Bun.which(awk) ?? '', join(bin, 'awk'))
  return `${bin}:${process.env.PATH}`
}

// yash reads variables in its locale.
const shells = ['dash', 'bash', 'bash --posix', 'busybox sh', 'ksh', 'mksh', 'env LC_ALL=C.UTF-8 yash', 'zsh']
const testIn = (shells: readonly string[]) => testEach(shells, 'curl', 'git')
const testBy = (awks: readonly string[]) => testEach(awks, 'curl', 'git', 'dash')

test('the script knows the environments that have an order', () => {
  const known = [...script.matchAll(/stages = (?:stages )?"([^"]*)"/g)].map(([, words]) => words).join('')
  expect(known.trim().split(' ')).toEqual([...stages.flat(), 'preview'])
})

describe('The tags of a checkout', () => {
  testIn(shells)('are added at the dates of their commits, in %s', async (shell) => {
    const first = commit('feat: "quoted" \\ and 🎉\n\nMore', '2019-05-01T10:00:00+02:00')
    git({}, 'tag', 'v1.0')
    const second = commit('fix: a thing', '2019-06-01T10:00:00Z')
    git(
      { GIT_COMMITTER_DATE: '2022-01-01T10:00:00Z' },
      'tag',
      '--annotate',
      'v1.1',
      '--message',
      'Summer\n\nMore',
    )
    git({}, 'tag', 'tree', 'HEAD^{tree}')
    git({}, 'remote', 'add', 'origin', 'git@git.example:ada/engine.git')
    const { exitCode, output, errors } = await run({}, { shell })
    expect([exitCode, output]).toEqual([0, ''])
    expect(errors).toBe('Tags: 2\nSent 2 of 2: 2 added, 0 known, 0 refused\n')
    const page = 'https://git.example/ada/engine/commit'
    expect(await listed()).toEqual([
      expect.objectContaining({
        message: 'feat: "quoted" \\ and 🎉',
        version: 'v1.0',
        commit: first,
        url: `${page}/${first}`,
        deployed_at: '2019-05-01T08:00:00Z',
        imported: true,
      }),
      expect.objectContaining({
        message: 'Summer',
        version: 'v1.1',
        commit: second,
        url: `${page}/${second}`,
        deployed_at: '2019-06-01T10:00:00Z',
      }),
    ])
    expect((await run({}, { shell })).errors).toEndWith('0 added, 2 known, 0 refused\n')
  })

  testBy(['gawk', 'mawk', 'busybox'])('say what was released, by %s', async (awk) => {
    const all =
      await payloadIn<{ tag: string; title: string; repository: string; release: string | null }[]>(
        'messages/tags.json',
      )
    const path = withAwk(awk)
    for (const [repository, tags] of Map.groupBy(all, (one) => one.repository)) {
      ada = await signUpPoster(service)
      folder = join(directory.path, `${count}-${repository}-${awk}`)
      mkdirSync(folder)
      git({}, 'init')
      git({}, 'remote', 'add', 'origin', `git@git.example:ada/${repository}.git`)
      // A tag may be there with several titles.
      const distinct = [...Map.groupBy(tags, ({ tag }) => tag).values()].flatMap(([first]) => first ?? [])
      for (const [n, { tag, title }] of distinct.entries()) {
        commit(title, `2019-05-01T10:00:${String(n).padStart(2, '0')}Z`)
        git({}, 'tag', tag)
      }
      const { output } = await run({ PATH: path }, { words: ['--dry-run'] })
      const messages = output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).message)
      expect(messages).toEqual(
        distinct.map(({ title, release }) => (release === null ? title : `${release} released`)),
      )
    }
  })

  testBy(['gawk', 'mawk', 'busybox'])('are read by %s, even if a commit has every byte', async (awk) => {
    const PATH = withAwk(awk)
    const bytes = Buffer.from(Array.from({ length: 254 }, (_, n) => n + 1).filter((byte) => byte !== 10))
    // A commit that says that it is UTF-8 and is not.
    const tree = git({}, 'mktree')
    const raw = `tree ${tree}\nauthor A <a> 1500000000 +0000\ncommitter A <a> 1500000000 +0000\n\nx`
    const made = Bun.spawnSync(['git', 'hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: folder,
      stdin: Buffer.concat([Buffer.from(raw), bytes]),
    })
    git({}, 'update-ref', 'refs/tags/v0', made.stdout.toString().trim())
    const { exitCode, errors } = await run({ PATH })
    expect([exitCode, errors]).toEqual([0, 'Tags: 1\nSent 1 of 1: 1 added, 0 known, 0 refused\n'])
    const [{ message } = { message: '' }] = await listed()
    expect(message).toStartWith('x')
    expect(message).toContain('!"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abc')
    expect(message).not.toContain('\ufffd')
  })

  test('are sent in several calls, and the script reports those that are refused, with a reason', async () => {
    // A user may have 1,000 deployments of one second.
    const [first, second] = ['2019-05-01T10:00:00Z', '2019-05-01T10:00:01Z'].map((at) => commit('x', at))
    const many = Array.from(
      { length: 1_100 },
      (_, n) => `create refs/tags/v${n} ${n < 550 ? first : second}\n`,
    )
    const long = `create refs/tags/${'v'.repeat(129)} ${first}\n`
    Bun.spawnSync(['git', 'update-ref', '--stdin'], { cwd: folder, stdin: new Blob([...many, long]) })
    const { exitCode, errors } = await run()
    expect(exitCode).toBe(0)
    expect(errors).toMatch(
      /^Tags: 1101\nSent 1000 of 1101: .*\n(Refused.*\n)?Sent 1101 of 1101: 1100 added, 0 known, 1 refused\n/,
    )
    expect(errors).toMatch(/^Refused, for example: {"version":\["must be at most 128 characters/m)
  })

  test.each([
    ['git@github.com:ada/gitlab-tools.git', '', 'https://github.com/ada/gitlab-tools/commit/'],
    ['https://gitlab.com/ada/bitbucket.git', '', 'https://gitlab.com/ada/bitbucket/-/commit/'],
    ['https://code.example/ada/engine.git', 'gitlab', 'https://code.example/ada/engine/-/commit/'],
  ])('link to the forge of %s %s', async (remote, SHIPFEED_FORGE, start) => {
    git({}, 'remote', 'add', 'origin', remote)
    const sha = commit('One', '2026-01-01T00:00:00Z')
    git({}, 'tag', 'v1.0.0')
    const { output } = await run({ SHIPFEED_FORGE }, { words: ['--dry-run'] })
    expect(output).toContain(`"url":"${start}${sha}"`)
  })

  test('are printed by --dry-run, without a token and a server', async () => {
    commit('x', '2019-05-01T10:00:00Z')
    git({}, 'tag', 'v1')
    const dry = await run({ SHIPFEED_TOKEN: '', SHIPFEED_URL: '' }, { words: ['--dry-run'] })
    expect([dry.exitCode, dry.errors]).toEqual([0, 'Tags: 1\n'])
    expect(
      dry.output
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    ).toEqual([
      {
        message: 'x',
        version: 'v1',
        commit: expect.any(String),
        deployed_at: expect.stringMatching(/^2019-05-01T10:00:00(Z|\+00:00)$/),
      },
    ])
    expect(await listed()).toEqual([])
  })
})

const releasedOn = (day: number, more: object) =>
  expect.objectContaining({ deployed_at: `2020-01-0${day}T10:00:00Z`, version: `v${day}.0`, ...more })
const releases = [
  releasedOn(1, { message: 'Release 1' }),
  releasedOn(2, { message: trickyName }),
  releasedOn(3, { message: 'engine v3.0 released' }),
  releasedOn(4, { message: 'engine v4.0 released' }),
]
const sha = 'f95f852bd8fca8fcc58a9a2d6c842781e32a215e'
const deployments: Readonly<Record<ForgeKind, (remote: string) => object[]>> = {
  github: (remote) => [
    {
      deployed_at: '2020-02-11T10:00:00Z',
      message: 'engine deployed to production',
      environment: 'production',
      commit: sha,
      url: `${remote.replace('.git', '')}/commit/${sha}`,
    },
    { deployed_at: '2020-02-12T10:00:00Z', message: 'By "hand"', environment: 'Production' },
    {
      deployed_at: '2020-02-16T10:00:00Z',
      message: 'engine (docs) deployed to Production',
      environment: 'Production',
    },
  ],
  gitlab: () => [
    { deployed_at: '2020-02-01T08:00:00Z', message: 'engine deployed to staging', environment: 'staging' },
    {
      deployed_at: '2020-02-11T09:00:00Z',
      message: 'feat: "searches"',
      environment: 'production',
      commit: sha,
    },
  ],
  forgejo: () => [],
}

describe.each(['github', 'gitlab', 'forgejo'] as const)('With a token of %s,', (kind) => {
  // With GitHub, what the forges share is tested in each shell; each of the others is tested in half of the shells.
  const half = shells.filter((_, n) => n % 2 === (kind === 'gitlab' ? 0 : 1))
  testIn(kind === 'github' ? shells : half)(
    'its releases and successful deployments are added, in %s',
    async (shell) => {
      await using standIn = forge(kind)
      const environment = withForge(standIn, kind)
      const { exitCode, output, errors } = await run(environment, { shell })
      expect([exitCode, output]).toEqual([0, ''])
      const rest = deployments[kind](standIn.remote)
      const all = 4 + rest.length
      expect(errors).toContain("The forge's releases: 5\n")
      expect(errors).toEndWith(`Tags: 0\nSent ${all} of ${all}: ${all} added, 0 known, 0 refused\n`)
      const entries = rest.map((one) => expect.objectContaining(one))
      expect(await listed()).toEqual([...releases, ...entries])
      expect(new Set(standIn.asked.map(([, authorization]) => authorization))).toEqual(
        new Set(['Bearer forge_token']),
      )
    },
  )

  test('nothing is asked about previews', async () => {
    await using standIn = forge(kind)
    await run(withForge(standIn, kind))
    const asked = standIn.asked.flatMap(([path]) => /deployments\/(\d+)\/statuses/.exec(path)?.[1] ?? [])
    expect(asked.toSorted()).toEqual(kind === 'github' ? ['11', '12', '13', '16'] : [])
  })

  testBy(['mawk', 'busybox'])('its answers are read by %s', async (awk) => {
    await using standIn = forge(kind)
    const { exitCode } = await run({ ...withForge(standIn, kind), PATH: withAwk(awk) })
    const entries = deployments[kind](standIn.remote).map((one) => expect.objectContaining(one))
    expect([exitCode, await listed()]).toEqual([0, [...releases, ...entries]])
  })

  test('its limit is waited out, and a second run adds nothing', async () => {
    await using standIn = forge(kind, { refusals: 2 })
    const environment = withForge(standIn, kind)
    const { exitCode, errors } = await run(environment)
    expect(exitCode).toBe(0)
    if (kind === 'github') expect(errors).toContain('The forge asks the script to wait 1 s')
    const all = 4 + deployments[kind](standIn.remote).length
    expect((await listed()).length).toBe(all)
    expect((await run(environment)).errors).toEndWith(`0 added, ${all} known, 0 refused\n`)
  })

  test('which it refuses, the tags are added, and the script says so and ends with 1', async () => {
    await using standIn = forge(kind)
    commit('x', '2019-05-01T10:00:00Z')
    git({}, 'tag', 'v1')
    const environment = withForge(standIn, kind)
    const { exitCode, errors } = await run({ ...environment, SHIPFEED_FORGE_TOKEN: 'another' })
    expect(exitCode).toBe(1)
    expect(errors).toContain('The forge did not return its releases: {"message":"Bad credentials"} (401)')
    expect((await listed()).map(({ message }) => message)).toEqual(['x'])
  })
})

describe('The tags of the packages of a repository', () => {
  /** As changesets makes them: one commit has those of several packages. */
  const tagged = (remote: string) => {
    for (const [date, tags] of [
      ['2019-05-01T10:00:00Z', ['@ada/read@1.0.0', '@ada/logger@2.0.0', 'cli-v0.1.0', 'v1.0.0']],
      ['2019-06-01T10:00:00Z', ['@ada/read@1.1.0', 'cli@0.2.0', 'mono@3.0.0', 'beta-v1.0.0', 'été@1.0.0']],
    ] as const) {
      commit('Version Packages (#7)', date)
      for (const tag of tags) git({}, 'tag', tag)
    }
    git({}, 'remote', 'add', 'origin', remote)
  }

  const targets = async (path: string) => {
    const list = await service.fetch(
      `/api/deployments?user=${ada.username}&target=${encodeURIComponent(path)}`,
    )
    const { deployments } = (await list.json()) as { deployments: Listed[] }
    return deployments.map(({ version }) => version).toSorted()
  }

  test.each([
    ['git@github.com:ada/mono.git', 'github.com/ada/mono', '/releases/tag/'],
    ['git@gitlab.com:ada/mono.git', 'gitlab.com/ada/mono', '/-/tags/'],
    ['git@code.example:ada/mono.git', 'code.example/ada/mono', '/releases/tag/'],
  ])('of %s count for each package, below the repository', async (remote, repository, page) => {
    tagged(remote)
    expect((await run()).errors).toEndWith('Sent 9 of 9: 9 added, 0 known, 0 refused\n')
    const all = await listed()
    expect(all.find(({ version }) => version === '@ada/read@1.0.0')?.url).toBe(
      `https://${repository}${page}@ada/read@1.0.0`,
    )
    expect(await targets(repository)).toHaveLength(9)
    expect(await targets(`${repository}/@ada/read/-`)).toEqual(['@ada/read@1.0.0', '@ada/read@1.1.0'])
    expect(await targets(`${repository}/@ada/logger/-`)).toEqual(['@ada/logger@2.0.0'])
    expect(await targets(`${repository}/cli/-`)).toEqual(['cli-v0.1.0', 'cli@0.2.0'])
    const page404 = async (path: string) =>
      (await service.fetch(`/${ada.username}/${repository}/${path}/-`)).status
    expect([await page404('@ada/read'), await page404('mono'), await page404('beta')]).toEqual([
      200, 404, 404,
    ])
    expect((await run()).errors).toEndWith('0 added, 9 known, 0 refused\n')
  })

  test('are known where an earlier script linked them to their commits, and where their releases are', async () => {
    tagged('git@github.com:ada/mono.git')
    const { output } = await run({}, { words: ['--dry-run'] })
    const before = output
      .trim()
      .split('\n')
      .map((line) => {
        const { url, ...item } = JSON.parse(line)
        return JSON.stringify({ ...item, url: `https://github.com/ada/mono/commit/${item.commit}` })
      })
    const body = before.join('\n')
    const headers = { Authorization: `Bearer ${ada.token}`, 'Content-Type': 'application/x-ndjson' }
    const answer = await service.fetch('/api/history', { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ added: 9 })
    expect((await run()).errors).toEndWith('0 added, 9 known, 0 refused\n')
  })

  test('count for the project that is named', async () => {
    tagged('git@github.com:ada/mono.git')
    const named = { SHIPFEED_PROJECT: 'shop/@ada/mono' }
    expect((await run(named)).errors).toEndWith('Sent 9 of 9: 9 added, 0 known, 0 refused\n')
    expect(await targets('-/shop/@ada/mono')).toHaveLength(9)
    expect((await listed()).every(({ project }) => project === named.SHIPFEED_PROJECT)).toBe(true)
    expect((await run(named)).errors).toEndWith('0 added, 9 known, 0 refused\n')
    const { exitCode, errors } = await run({ SHIPFEED_PROJECT: 'a"b' })
    expect([exitCode, errors]).toEqual([1, expect.stringContaining('SHIPFEED_PROJECT is not the name')])
  })
})

test('a release and its tag are added once, as the release', async () => {
  await using standIn = forge('forgejo')
  commit('Bump', '2019-05-01T10:00:00Z')
  git({}, 'tag', 'v1.0')
  const { errors } = await run(withForge(standIn, 'forgejo'))
  expect(errors).toEndWith('Sent 5 of 5: 4 added, 1 known, 0 refused\n')
  expect(await listed()).toEqual(releases)
})

test('no secret is on a command line', async () => {
  const lines = new Set<string>()
  const seen = (answer: Response | Promise<Response>) => {
    for (const line of runningCommands()) lines.add(line)
    return answer
  }
  await using standIn = forge('gitlab')
  await using between = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url, method, headers, body }) => {
      const { pathname, search } = new URL(url)
      const to = pathname === '/api/history' ? address : new URL(standIn.remote).origin
      return seen(fetch(to + pathname + search, { method, headers, body }))
    },
  })
  const SHIPFEED_URL = between.url.origin
  const environment = withForge({ ...standIn, remote: `${SHIPFEED_URL}/ada/engine.git` }, 'gitlab')
  expect((await run({ ...environment, SHIPFEED_URL })).exitCode).toBe(0)
  const ours = [...lines].filter((line) => line.includes('curl ') && line.includes(SHIPFEED_URL))
  expect(ours.some((line) => line.includes('/api/history'))).toBe(true)
  expect(ours.some((line) => line.includes('/api/v4/projects'))).toBe(true)
  expect([...lines].filter((line) => line.includes('forge_token') || line.includes(ada.token))).toEqual([])
})

describe('Nothing is added', () => {
  test.each<[name: string, environment: Environment, reason: string]>([
    ['no token', { SHIPFEED_TOKEN: '' }, 'Nothing was added: SHIPFEED_TOKEN is not set'],
    ['a malformed token', { SHIPFEED_TOKEN: 'a"b' }, 'Nothing was added: SHIPFEED_TOKEN is not a token'],
    ['a wrong token', { SHIPFEED_TOKEN: 'ship_x' }, 'The rest was not added: {"error":"Unauthorized"} (401)'],
    ['no server', { SHIPFEED_URL: 'x' }, 'Nothing was added: SHIPFEED_URL is not the address of a server'],
    ['no checkout', { GIT_DIR: '/nowhere' }, 'Nothing was added: this is not a checkout'],
    [
      'no forge',
      { SHIPFEED_FORGE_TOKEN: 'x' },
      'Nothing was added: the remote "origin" is missing, or its address has no web page',
    ],
  ])('and the script says why and ends with 1: %s', async (_, environment, reason) => {
    commit('x', '2019-05-01T10:00:00Z')
    git({}, 'tag', 'v1')
    const { exitCode, output, errors } = await run(environment)
    expect([exitCode, output]).toEqual([1, ''])
    expect(errors).toContain(reason)
  })

  test('and the script says why and ends with 1: an unknown option', async () => {
    const { exitCode, errors } = await run({}, { words: ['--now'] })
    expect([exitCode, errors]).toEqual([1, 'Nothing was added: there is no option --now, only --dry-run\n'])
  })

  testIn(shells)('by the first part of the script alone, in %s', async (shell) => {
    commit('x', '2019-05-01T10:00:00Z')
    git({}, 'tag', 'v1')
    for (const part of [0.2, 0.5, 0.9]) await run({}, { shell, text: script.slice(0, script.length * part) })
    expect(await listed()).toEqual([])
    expect(readdirSync(folder)).toEqual(['.git'])
  })
})
