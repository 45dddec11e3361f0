import { afterAll, beforeEach, describe, expect, test as testAnywhere } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { created } from '../support/api.ts'
import { runScript, shells } from '../support/ci/script.ts'
import { passMidnight } from '../support/eventually.ts'
import { textOf } from '../support/markup.ts'
import { needing, testEach } from '../support/needs/needs.ts'
import { addToken, signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** Runs ci/announce.sh in real shells, with a real curl. */
const { test } = needing('curl', 'dash')
const port = freePort()
/** The server's address as pipelines reach it: the script shows no other. */
const address = `http://127.0.0.1:${port}`
const service = await useService({ BASE_URL: address }, null, port)
const poster = await signUpPoster(service)
const root = join(import.meta.dir, '../..')
const script = await (await service.fetch('/ci/announce.sh')).text()

const directory = temporaryDirectory()
afterAll(directory.remove)
/** Empty before each test: any file in it afterwards was made by a message. */
let folder = ''
let count = 0
beforeEach(() => {
  count += 1
  folder = join(directory.path, String(count))
  mkdirSync(folder)
})

type Environment = Readonly<Record<string, string>>

function run(environment: Environment, { shell = 'dash', text = script } = {}) {
  return runScript(text, { cwd: folder, env: { SHIPFEED_TOKEN: poster.token, ...environment }, shell })
}

type Announced = {
  readonly id: number
  readonly message: string
  readonly url: string | null
  readonly category: string | null
  readonly environment?: string
  readonly version?: string
  readonly commit?: string
  readonly actor?: string
}

async function announced(): Promise<readonly Announced[]> {
  const response = await service.fetch(`/api/deployments?user=${poster.username}&limit=100`)
  return ((await response.json()) as { deployments: Announced[] }).deployments
}

const sha = '0123456789abcdef0123456789abcdef01234567'
const known = { commit: sha, version: 'v2.4.0', environment: 'production' }

/** The documented variables of a job on each CI, and what its announcement has besides the message. */
const runners: Readonly<
  Record<string, { environment: (message: string) => Environment; facts: Readonly<Record<string, string>> }>
> = {
  'GitHub Actions': {
    environment: (message) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_REPOSITORY: 'ada/engine',
      GITHUB_REF: 'refs/tags/v2.4.0',
      GITHUB_RUN_ID: crypto.randomUUID(),
      GITHUB_RUN_ATTEMPT: '1',
      GITHUB_JOB: 'deploy',
      GITHUB_ACTION: '__run',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_SHA: sha,
      SHIPFEED_COMMIT_MESSAGE: message,
    }),
    facts: { url: `https://github.example/ada/engine/commit/${sha}`, commit: sha, version: 'v2.4.0' },
  },
  'GitLab CI': {
    environment: (message) => ({
      GITLAB_CI: 'true',
      CI_COMMIT_MESSAGE: message,
      CI_COMMIT_TAG: 'v2.4.0',
      CI_ENVIRONMENT_NAME: 'production',
      CI_PROJECT_ID: '7',
      CI_PIPELINE_ID: crypto.randomUUID(),
      CI_JOB_NAME: 'Announce "it" 🎉',
      CI_PROJECT_URL: 'https://gitlab.example/ada/engine',
      CI_COMMIT_SHA: sha,
    }),
    facts: { ...known, url: `https://gitlab.example/ada/engine/-/commit/${sha}` },
  },
  Woodpecker: {
    environment: (message) => ({
      CI: 'woodpecker',
      CI_COMMIT_MESSAGE: message,
      CI_COMMIT_SHA: sha,
      CI_COMMIT_TAG: 'v2.4.0',
      CI_PIPELINE_DEPLOY_TARGET: 'production',
      CI_REPO: 'ada/engine',
      CI_REPO_URL: 'https://forge.example/ada/engine',
      CI_PIPELINE_NUMBER: crypto.randomUUID(),
      CI_PIPELINE_FORGE_URL: 'https://forge.example/ada/engine/src/tag/v2.4.0',
      CI_WORKFLOW_NAME: 'deploy',
      CI_STEP_NAME: 'announce',
    }),
    facts: { ...known, url: `https://forge.example/ada/engine/commit/${sha}` },
  },
  CircleCI: {
    environment: (message) => ({
      CIRCLECI: 'true',
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/ada/engine/7',
      CIRCLE_JOB: 'deploy',
      CIRCLE_REPOSITORY_URL: 'git@github.com:ada/engine.git',
      CIRCLE_SHA1: sha,
      CIRCLE_TAG: 'v2.4.0',
      CIRCLE_USERNAME: 'grace',
      CIRCLE_WORKFLOW_ID: crypto.randomUUID(),
      SHIPFEED_COMMIT_MESSAGE: message,
    }),
    facts: {
      ...{ url: `https://github.com/ada/engine/commit/${sha}`, commit: sha, version: 'v2.4.0' },
      actor: 'grace',
    },
  },
  Buildkite: {
    environment: (message) => ({
      BUILDKITE: 'true',
      BUILDKITE_BUILD_CREATOR: 'Grace Hopper',
      BUILDKITE_BUILD_ID: crypto.randomUUID(),
      BUILDKITE_BUILD_URL: 'https://buildkite.com/ada/engine/builds/7',
      BUILDKITE_COMMIT: sha,
      BUILDKITE_MESSAGE: message,
      BUILDKITE_REPO: 'git@bitbucket.org:ada/engine.git',
      BUILDKITE_STEP_ID: '0190-7',
      BUILDKITE_TAG: 'v2.4.0',
    }),
    facts: {
      ...{ url: `https://bitbucket.org/ada/engine/commits/${sha}`, commit: sha, version: 'v2.4.0' },
      actor: 'Grace Hopper',
    },
  },
  'Azure Pipelines': {
    environment: (message) => ({
      TF_BUILD: 'True',
      BUILD_BUILDID: crypto.randomUUID(),
      BUILD_REQUESTEDFOR: 'Grace Hopper',
      BUILD_REPOSITORY_URI: 'https://ada@dev.azure.com/ada/work/_git/engine',
      BUILD_SOURCEBRANCH: 'refs/tags/v2.4.0',
      BUILD_SOURCEVERSION: sha,
      BUILD_SOURCEVERSIONMESSAGE: message,
      ENVIRONMENT_NAME: 'production',
      SYSTEM_JOBID: '12f1170f',
      SYSTEM_TEAMPROJECTID: '0d6e',
    }),
    facts: {
      ...{ ...known, url: `https://dev.azure.com/ada/work/_git/engine/commit/${sha}` },
      actor: 'Grace Hopper',
    },
  },
  'Bitbucket Pipelines': {
    environment: (message) => ({
      BITBUCKET_BUILD_NUMBER: '7',
      BITBUCKET_COMMIT: sha,
      BITBUCKET_DEPLOYMENT_ENVIRONMENT: 'production',
      BITBUCKET_GIT_HTTP_ORIGIN: 'http://bitbucket.org/ada/engine',
      BITBUCKET_PIPELINE_UUID: `{${crypto.randomUUID()}}`,
      BITBUCKET_STEP_UUID: '{5f2f}',
      BITBUCKET_TAG: 'v2.4.0',
      SHIPFEED_COMMIT_MESSAGE: message,
    }),
    facts: { ...known, url: `https://bitbucket.org/ada/engine/commits/${sha}` },
  },
  Drone: {
    environment: (message) => ({
      DRONE: 'true',
      DRONE_BUILD_NUMBER: crypto.randomUUID(),
      DRONE_COMMIT_MESSAGE: message,
      DRONE_COMMIT_SHA: sha,
      DRONE_DEPLOY_TO: 'production',
      DRONE_REPO: 'ada/engine',
      DRONE_REPO_LINK: 'https://gitea.example/ada/engine',
      DRONE_STAGE_NAME: 'default',
      DRONE_STEP_NAME: 'announce',
      DRONE_TAG: 'v2.4.0',
    }),
    facts: { ...known, url: `https://gitea.example/ada/engine/commit/${sha}` },
  },
  Jenkins: {
    environment: (message) => ({
      SHIPFEED_COMMIT_MESSAGE: message,
      BUILD_TAG: `jenkins-${crypto.randomUUID()}`,
      BUILD_URL: 'https://jenkins.example/job/engine/7/',
      GIT_URL: 'git@git.example:ada/engine.git',
      GIT_COMMIT: sha,
      TAG_NAME: 'v2.4.0',
    }),
    facts: { url: `https://git.example/ada/engine/commit/${sha}`, commit: sha, version: 'v2.4.0' },
  },
  'Jenkins without a repository': {
    environment: (message) => ({
      SHIPFEED_COMMIT_MESSAGE: message,
      BUILD_TAG: `jenkins-${crypto.randomUUID()}`,
      BUILD_URL: 'https://jenkins.example/job/engine/8/',
    }),
    facts: { url: 'https://jenkins.example/job/engine/8/' },
  },
  Travis: {
    environment: (message) => ({
      TRAVIS: 'true',
      TRAVIS_COMMIT: sha,
      TRAVIS_COMMIT_MESSAGE: message,
      TRAVIS_JOB_ID: crypto.randomUUID(),
      TRAVIS_JOB_WEB_URL: 'https://app.travis-ci.com/ada/engine/jobs/7',
      TRAVIS_REPO_SLUG: 'ada/engine',
      TRAVIS_TAG: 'v2.4.0',
    }),
    facts: { url: 'https://app.travis-ci.com/ada/engine/jobs/7', commit: sha, version: 'v2.4.0' },
  },
  TeamCity: {
    environment: (message) => ({
      TEAMCITY_VERSION: '2025.03',
      TEAMCITY_BUILDCONF_NAME: 'Deploy it',
      TEAMCITY_PROJECT_NAME: 'Engine',
      BUILD_NUMBER: crypto.randomUUID(),
      BUILD_VCS_NUMBER: sha,
      SHIPFEED_COMMIT_MESSAGE: message,
    }),
    facts: { commit: sha },
  },
  Semaphore: {
    environment: (message) => ({
      SEMAPHORE: 'true',
      SEMAPHORE_GIT_SHA: sha,
      SEMAPHORE_GIT_TAG_NAME: 'v2.4.0',
      SEMAPHORE_GIT_URL: 'git@gitlab.com:ada/engine.git',
      SEMAPHORE_JOB_ID: '7',
      SEMAPHORE_JOB_NAME: 'Deploy',
      SEMAPHORE_ORGANIZATION_URL: 'https://ada.semaphoreci.com',
      SEMAPHORE_PIPELINE_ID: crypto.randomUUID(),
      SHIPFEED_COMMIT_MESSAGE: message,
    }),
    facts: { url: `https://gitlab.com/ada/engine/-/commit/${sha}`, commit: sha, version: 'v2.4.0' },
  },
}

const nasty = [
  '✨ "it\'s" $(touch owned) `touch owned` ; touch owned & %20 + \\n * ~ !x',
  '@/etc/passwd',
  '-d x=y',
  '::error::not a command',
  '\\u0041 %s %d \\c',
]

describe.each(Object.entries(runners))('on %s', (name, { environment, facts }) => {
  // The rest of the script is the same on each CI.
  const messages = name === 'GitHub Actions' ? nasty : nasty.slice(0, 1)

  test.each(messages)(
    '%p is announced unchanged with the facts of the run, and no part of it is executed',
    async (message) => {
      const { exitCode, output, errors } = await run(environment(`${message}\n\nMore of it.`))
      const [newest] = await announced()
      expect([exitCode, errors]).toEqual([0, ''])
      expect(output).toBe(`Announced: ${address}/${poster.username}/${newest?.id}\n`)
      const { message: stored, url, environment: where, version, commit, actor } = newest ?? {}
      expect<unknown>({ message: stored, url, environment: where, version, commit, actor }).toEqual({
        url: null,
        ...facts,
        message,
      })
      expect(readdirSync(folder)).toEqual([])
    },
  )

  test('all tries of a run are one announcement, and the next run is another', async () => {
    const before = (await announced()).length
    const once = environment('Again and again')
    for (const of of [once, once, environment('Again and again')]) {
      expect((await run(of)).exitCode).toBe(0)
    }
    expect((await announced()).length).toBe(before + 2)
  })
})

test('the docs say of each CI without a snippet what is read of it', async () => {
  const docs = await (await service.fetch('/docs')).text()
  const withoutSnippet = Object.entries(runners).filter(
    ([name]) => !/GitHub|GitLab|Woodpecker|Jenkins/.test(name),
  )
  expect(withoutSnippet).toHaveLength(8)
  for (const [name, { environment, facts }] of withoutSnippet) {
    const { SHIPFEED_COMMIT_MESSAGE, ...own } = environment('its title')
    const isOfCommit = facts.url?.includes('/commit') ?? false
    const read = [
      ...(isOfCommit ? ['repository'] : []),
      'commit',
      ...(Object.values(own).includes('its title') ? ['its message'] : []),
      ...(facts.version === undefined ? [] : ['tag']),
      ...(facts.environment === undefined ? [] : ['environment']),
      ...(facts.actor === undefined ? [] : ['actor']),
    ]
    expect(docs).toContain(`<dt>${name}</dt><dd>${read.join(', ')}</dd>`)
  }
})

const testInShells = testEach(shells, 'curl')
const testInCheckouts = testEach(shells, 'curl', 'git')

describe('an announcement', () => {
  const newestAfter = async (environment: Environment, shell?: string) => {
    const { exitCode, errors } = await run(
      { SHIPFEED_KEY: crypto.randomUUID(), ...environment },
      { ...(shell === undefined ? {} : { shell }) },
    )
    expect([exitCode, errors]).toEqual([0, ''])
    return (await announced())[0]
  }

  testInShells('is the whole of SHIPFEED_MESSAGE, in %s', async (shell) => {
    const message = `${nasty.join('\r\n')}\n\ttab\n\n`
    expect((await newestAfter({ SHIPFEED_MESSAGE: message }, shell))?.message).toBe(message)
  })

  test.each([
    [4_096, 0],
    [4_097, 1],
    [30_000, 1],
  ])('of %d bytes is cut at the end of a character if it is too long', async (length, isCut) => {
    const whole = '🎉\n'.repeat(length / 5 + 1).slice(0, -1)
    const message = `${'x'.repeat(length % 5)}${whole}`.slice(0)
    const bytes = Buffer.from(message)
      .subarray(0, length)
      .toString()
      .replace(/\ufffd+$/, '')
    const given = bytes.padEnd(bytes.length + length - Buffer.byteLength(bytes), 'x')
    expect(Buffer.byteLength(given)).toBe(length)
    const { message: stored = '' } = (await newestAfter({ SHIPFEED_MESSAGE: given })) ?? {}
    expect(stored.endsWith('…')).toBe(isCut === 1)
    expect(given.startsWith(stored.replace(/…$/, ''))).toBeTrue()
    expect(Buffer.byteLength(stored)).toBeGreaterThan(4_080)
  })

  test.each([
    ['fix: it\r\n\r\nBody', 'fix: it'],
    ['Merge pull request #7 from ada/x\n\nfeat: what was merged\n\nMore', 'feat: what was merged'],
    ["Merge branch 'x' into 'main'\n\nfix: a thing\n\nSee merge request !7", 'fix: a thing'],
    ["Merge branch 'main' of example.org\n", "Merge branch 'main' of example.org"],
  ])('of a commit is its title, and of a merge the title of what was merged: %p', async (message, title) => {
    expect((await newestAfter({ SHIPFEED_COMMIT_MESSAGE: message }))?.message).toBe(title)
  })

  const git = (...words: string[]) =>
    Bun.spawnSync(['git', '-c', 'user.name=Ada', '-c', 'user.email=a@b.example', ...words], { cwd: folder })
      .stdout.toString()
      .trim()

  testInCheckouts(
    'in a checkout is the title of the last commit, with its hash and its link, in %s',
    async (shell) => {
      git('init')
      git('commit', '--allow-empty', '--message', 'perf: "quicker"\n\nBody')
      const commit = git('rev-parse', 'HEAD')
      const known = { message: 'perf: "quicker"', category: 'performance_improvement', commit }
      expect(await newestAfter({}, shell)).toMatchObject({ ...known, url: null })
      git('remote', 'add', 'origin', 'ssh://git@git.example:2222/ada/engine.git')
      const url = `https://git.example/ada/engine/commit/${commit}`
      expect(await newestAfter({}, shell)).toMatchObject({ ...known, url })
    },
  )

  needing('curl', 'dash', 'git').test.each([
    ['https://github.com/ada/engine.git', 'https://github.com/ada/engine'],
    ['https://token:x@git.example:8443/ada/engine/', 'https://git.example:8443/ada/engine'],
    ['http://gitea:3000/ada/engine.git', 'http://gitea:3000/ada/engine'],
    ['git@git.example:ada/sub/engine.git', 'https://git.example/ada/sub/engine'],
    ['git@git.example:/ada/engine', 'https://git.example/ada/engine'],
    ['ssh://git@git.example/ada/engine.git', 'https://git.example/ada/engine'],
    // Anything but the address of a page is left out: the server would refuse the deployment.
    ...[
      'git@work:ada/engine',
      '/srv/engine.git',
      'file:///srv/engine',
      '../engine',
      'https://git.example',
    ].map((remote) => [remote, null] as const),
    ...['git@git.example:a b/c', 'https://git.example/$(x)', 'git://git.example/ada/engine'].map(
      (remote) => [remote, null] as const,
    ),
  ] as const)('in a checkout of %s has the link of its commit at %s', async (remote, url) => {
    git('init')
    git('commit', '--allow-empty', '--message', 'x')
    git('remote', 'add', 'origin', remote)
    const link = url === null ? null : `${url}/commit/${git('rev-parse', 'HEAD')}`
    expect(await newestAfter({})).toMatchObject({ url: link })
  })

  test('has the tag being built as its version, unless another is given', async () => {
    const onGitHub = {
      ...{ SHIPFEED_MESSAGE: 'x', GITHUB_ACTIONS: 'true' },
      ...{ GITHUB_REF: 'refs/tags/v2.4.0', GITHUB_REF_TYPE: 'tag' },
    }
    const onGitLab = { SHIPFEED_MESSAGE: 'x', CI_PROJECT_URL: 'https://gitlab.example/ada/engine' }
    expect(await newestAfter(onGitHub)).toMatchObject({ version: 'v2.4.0' })
    expect(await newestAfter({ ...onGitLab, CI_COMMIT_TAG: '版本-1' })).toMatchObject({ version: '版本-1' })
    expect(await newestAfter({ ...onGitHub, SHIPFEED_VERSION: '2.4' })).toMatchObject({ version: '2.4' })
    const none = [
      { ...onGitHub, GITHUB_REF: 'refs/heads/v2.4.0' },
      { ...onGitLab, CI_COMMIT_TAG: 'v'.repeat(129) },
    ]
    for (const environment of none) expect(await newestAfter(environment)).not.toHaveProperty('version')
  })

  test('has the given link and category', async () => {
    const given = {
      SHIPFEED_MESSAGE: 'x',
      SHIPFEED_LINK: 'https://a.example/?b=1&c=%20',
      SHIPFEED_CATEGORY: 'bug_fix',
    }
    expect(await newestAfter(given)).toMatchObject({ url: given.SHIPFEED_LINK, category: 'bug_fix' })
  })

  test('has environment, version and commit', async () => {
    const onGitLab = { SHIPFEED_MESSAGE: 'x', CI_PROJECT_URL: 'https://gitlab.example/ada/engine' }
    const run = { ...onGitLab, CI_COMMIT_SHA: sha, CI_ENVIRONMENT_NAME: 'review/a b' }
    expect(await newestAfter(run)).toMatchObject({ environment: 'review/a_b', commit: sha })
    const given = { SHIPFEED_ENVIRONMENT: 'qa', SHIPFEED_VERSION: 'v2 "b"', SHIPFEED_COMMIT: 'c0ffee1' }
    const release = { environment: 'qa', version: 'v2 "b"', commit: 'c0ffee1' }
    expect(await newestAfter({ ...run, ...given })).toMatchObject(release)
    expect(await newestAfter({ ...onGitLab, CI_COMMIT_SHA: 'main-7' })).not.toHaveProperty('commit')
  })

  test('is an output for the next steps on GitHub', async () => {
    const GITHUB_OUTPUT = join(directory.path, 'output')
    const newest = await newestAfter({ SHIPFEED_MESSAGE: 'x', GITHUB_OUTPUT })
    expect(readFileSync(GITHUB_OUTPUT, 'utf8')).toBe(
      `page=${address}/${poster.username}/${newest?.id}\nid=${newest?.id}\n`,
    )
  })
})

describe('a token that ends', () => {
  /** A server that answers 201 with this header, spelled as in HTTP/1.1 or, in lower case, as in HTTP/2. */
  const serverSaying = (name: string, value: string) =>
    Bun.serve({ port: 0, fetch: () => new Response('{}', { status: 201, headers: { [name]: value } }) })
  const name = 'Shipfeed-Token-Expires'

  testInShells('causes a warning from 14 days before, in %s', async (shell) => {
    for (const [days, isWarned] of [
      [15, false],
      [14, true],
      [0, true],
    ] as const) {
      await using server = serverSaying(name, `"2026-12-01T00:00:00Z";days=${days}`)
      const SHIPFEED_URL = server.url.origin
      const { exitCode, output, errors } = await run({ SHIPFEED_MESSAGE: 'x', SHIPFEED_URL }, { shell })
      expect([exitCode, output]).toEqual([0, 'Announced\n'])
      expect(errors).toBe(
        isWarned
          ? `The token ends in ${days} days, at 2026-12-01T00:00:00Z. Give this pipeline a new token from ${SHIPFEED_URL}/settings/tokens\n`
          : '',
      )
    }
  })

  test('causes a warning with the header of our own server, which on GitHub is an annotation', async () => {
    await passMidnight()
    const ends = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    const ada = await signUpPoster(service)
    const { token } = await addToken(ada, { name: 'ends soon', ends })
    const given = { SHIPFEED_MESSAGE: 'x', SHIPFEED_TOKEN: token }
    expect((await run(given)).errors).toStartWith('The token ends in 3 days, at ')
    const onGitHub = await run({ ...given, GITHUB_ACTIONS: 'true' })
    expect(onGitHub.output).toStartWith('::warning title=Shipfeed::The token ends in 3 days, at ')
    expect([onGitHub.exitCode, onGitHub.errors]).toEqual([0, ''])
    expect((await run({ ...given, SHIPFEED_TOKEN: ada.token })).errors).toBe('')
  })

  test.each([
    ['shipfeed-token-expires', '"2026-12-01T00:00:00Z";days=3', 'The token ends in 3 days'],
    [name, '"::error::x";days=3', ''],
    [name, '"2026-12-01T00:00:00Z";days=$(touch x)', ''],
    [name, '"2026-12-01T00:00:00Z";days=123456', ''],
    [name, 'soon', ''],
  ])('is read from the header %s: %s', async (header, value, warning) => {
    await using server = serverSaying(header, value)
    const { exitCode, errors } = await run({ SHIPFEED_MESSAGE: 'x', SHIPFEED_URL: server.url.origin })
    expect([exitCode, errors.slice(0, warning.length || undefined)]).toEqual([0, warning])
  })
})

describe('the log of a job', () => {
  const causes: readonly (readonly [string, Environment, RegExp])[] = [
    ['no token', { SHIPFEED_TOKEN: '' }, /SHIPFEED_TOKEN is not set/],
    ['a token with a quote', { SHIPFEED_TOKEN: 'ship_"\nurl = "file:///etc/passwd' }, /is not a token/],
    ['a wrong token', { SHIPFEED_TOKEN: 'ship_x' }, /Unauthorized.*\(401\)$/],
    ['a wrong category', { SHIPFEED_CATEGORY: 'chore' }, /"category".*\(422\)$/],
    ['a blank message', { SHIPFEED_MESSAGE: '\u200b' }, /can't be blank.*\(422\)$/],
    ['no server', { SHIPFEED_URL: 'ship.example' }, /SHIPFEED_URL is not the address of a server/],
  ]

  test.each(causes)('says why nothing was announced, and it goes on: %s', async (_, environment, reason) => {
    const given = { SHIPFEED_MESSAGE: 'x', ...environment }
    const elsewhere = await run(given)
    expect([elsewhere.exitCode, elsewhere.output]).toEqual([0, ''])
    expect(/^The deployment was not announced: (.*)$/m.exec(elsewhere.errors)?.[1]).toMatch(reason)
    const onGitHub = await run({ ...given, GITHUB_ACTIONS: 'true' })
    expect([onGitHub.exitCode, onGitHub.errors]).toEqual([0, ''])
    expect(
      /^::warning title=Shipfeed::The deployment was not announced: (.*)$/m.exec(onGitHub.output)?.[1],
    ).toMatch(reason)
    expect((await run({ ...given, SHIPFEED_FAIL: 'true' })).exitCode).toBe(1)
  })

  test.each([
    ['its own address', '/ada/7', ': ADDRESS/ada/7'],
    ['another address', 'https://evil.example/ada/7', ''],
    ['a command of the runner', '/##[add-matcher]x', ''],
    ['nothing', '', ''],
  ])('shows the page of a success only if it is at the server: %s', async (_, location, shown) => {
    await using server = Bun.serve({
      port: 0,
      fetch: ({ url }) =>
        new Response('{}', {
          status: 201,
          headers: { Location: location.startsWith('/') ? new URL(url).origin + location : location },
        }),
    })
    const SHIPFEED_URL = server.url.origin
    const { output } = await run({ SHIPFEED_MESSAGE: 'x', GITHUB_ACTIONS: 'true', SHIPFEED_URL })
    expect(output).toBe(`Announced${shown.replace('ADDRESS', SHIPFEED_URL)}\n`)
  })

  test('has the answer of a server in one line, which is not a command for the runner', async () => {
    await using hostile = Bun.serve({
      port: 0,
      fetch: () => new Response('no\n::set-env name=X::%0A::error::y\u001b[31m', { status: 400 }),
    })
    const { output } = await run({
      SHIPFEED_MESSAGE: 'x',
      GITHUB_ACTIONS: 'true',
      SHIPFEED_URL: hostile.url.origin,
    })
    expect(output).toBe(
      '::warning title=Shipfeed::The deployment was not announced: no ::set-env name=X::%250A::error::y [31m (400)\n',
    )
  })
})

test('through a restart of the server, a lost answer and a 429, the script announces once', async () => {
  const port = freePort()
  const answers: number[] = []
  let server: ReturnType<typeof Bun.serve> | null = null
  const restart = setTimeout(() => {
    server = Bun.serve({
      port,
      async fetch(request) {
        const { headers } = request
        const answer = await service.fetch('/api', { method: 'POST', headers, body: await request.text() })
        answers.push(answer.status)
        if (answers.length === 1) return new Response('lost', { status: 503 })
        if (answers.length === 2)
          return new Response('slow down', { status: 429, headers: { 'Retry-After': '1' } })
        return answer
      },
    })
  }, 1_500)
  const before = (await announced()).length
  const { exitCode, errors } = await run({
    SHIPFEED_MESSAGE: 'Retried',
    SHIPFEED_URL: `http://localhost:${port}`,
  })
  clearTimeout(restart)
  await (server as ReturnType<typeof Bun.serve> | null)?.stop(true)
  expect([exitCode, errors]).toEqual([0, ''])
  expect(answers).toEqual([201, 201, 201])
  expect((await announced()).length).toBe(before + 1)
})

test('no secret and no message is on a command line', async () => {
  const lines = new Set<string>()
  const ofScript = new Set<string>()
  await using slow = Bun.serve({
    port: 0,
    async fetch({ url }) {
      for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
        try {
          const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
          lines.add(line)
          // Other tests run curl at the same time.
          if (readFileSync(`/proc/${pid}/environ`, 'utf8').includes(new URL(url).origin)) ofScript.add(line)
        } catch {
          // It has ended in the meantime.
        }
      }
      return new Response('', { status: 400 })
    },
  })
  await run({ SHIPFEED_MESSAGE: 'Not for others', SHIPFEED_URL: slow.url.origin })
  expect([...ofScript].filter((line) => line.startsWith('curl '))).toHaveLength(1)
  expect([...lines].filter((line) => line.includes(poster.token) || line.includes('Not for others'))).toEqual(
    [],
  )
})

test('half of the script does nothing', async () => {
  const half = script.slice(0, script.lastIndexOf('main'))
  expect(await run({ SHIPFEED_MESSAGE: 'x' }, { text: half })).toEqual({
    exitCode: 0,
    output: '',
    errors: '',
  })
})

describe('the files for CIs', () => {
  type Action = { runs: { steps: { run: string; env: Environment }[] }; inputs: Record<string, unknown> }

  test('the action has no expression in its script, and announces', async () => {
    const action = Bun.YAML.parse(readFileSync(join(root, 'ci/action.yml'), 'utf8')) as Action
    const [step, ...more] = action.runs.steps
    if (step === undefined) throw new Error('The action has no step')
    expect(more).toEqual([])
    expect(step.run).not.toContain('${{')
    const inputs = {
      server: service.url,
      token: poster.token,
      user: '',
      message: '',
      url: '',
      category: '',
      environment: 'production',
      version: 'v2',
      commit: '',
      project: 'shop/checkout',
      actor: '',
      'environment-url': 'https://shop.example',
      'idempotency-key': crypto.randomUUID(),
      fail: 'true',
    }
    expect(Object.keys(inputs).toSorted()).toEqual(Object.keys(action.inputs).toSorted())
    const values = Object.entries(step.env).map(([name, expression]) => {
      const [, input] = /^\$\{\{ inputs\.([\w-]+)(?: \|\| .*)? \}\}$/.exec(expression) ?? []
      return [
        name,
        input === undefined ? 'feat: of the head\n\nBody' : inputs[input as keyof typeof inputs],
      ] as const
    })
    const environment = {
      ...Object.fromEntries(values),
      GITHUB_ACTION_PATH: join(root, 'ci'),
      GITHUB_ACTIONS: 'true',
      GITHUB_TRIGGERING_ACTOR: 'grace',
    }
    const { exitCode } = await run(environment, { shell: 'bash', text: step.run })
    expect(exitCode).toBe(0)
    const release = {
      ...{ environment: 'production', version: 'v2', project: 'shop/checkout', actor: 'grace' },
      environment_url: 'https://shop.example',
    }
    expect((await announced())[0]).toMatchObject({ message: 'feat: of the head', ...release })
  })

  test('the template for GitLab fetches the script from this server and announces', async () => {
    const response = await service.fetch('/ci/gitlab.yml')
    expect(response.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    const [, job = ''] = (await response.text()).split('\n---\n')
    const filled = job.replaceAll('$[[ inputs.stage ]]', '.post').replaceAll(/\$\[\[ inputs\.\w+ \]\]/g, '')
    const { announce } = Bun.YAML.parse(filled) as {
      announce: { script: string[]; variables: Environment; allow_failure: boolean }
    }
    expect(announce.allow_failure).toBeTrue()
    const text = announce.script.join('\n')
    const elsewhere = {
      ...runners['GitLab CI']?.environment('fix: by the template'),
      ...announce.variables,
      SHIPFEED_URL: service.url,
    }
    expect((await run(elsewhere, { text })).exitCode).toBe(0)
    expect((await announced())[0]?.message).toBe('fix: by the template')
    expect((await run({ ...elsewhere, SHIPFEED_TOKEN: '' }, { text })).exitCode).toBe(1)
  })
})

describe('the pinned line of the docs', async () => {
  const page = await (await service.fetch('/docs')).text()
  const [line = ''] = [...page.matchAll(/<pre[^>]*><code[^>]*>.*?<\/code><\/pre>/gs)]
    .map(([markup]) => textOf(markup, 'code'))
    .filter((code) => code.includes('sha256sum'))

  testEach(['dash', 'busybox sh'], 'curl')('announces as it is, in %s', async (shell) => {
    const environment = {
      SHIPFEED_COMMIT_MESSAGE: `feat: pinned in ${shell}`,
      SHIPFEED_KEY: crypto.randomUUID(),
    }
    const { exitCode, output } = await run(environment, { shell, text: line })
    expect(exitCode).toBe(0)
    expect(output).toMatch(/^\.shipfeed\.sh: OK\nAnnounced: http:/)
    expect((await announced())[0]?.message).toBe(`feat: pinned in ${shell}`)
  })

  test('does not run a script with another checksum, and warns', async () => {
    const before = (await announced()).length
    const [, sha256 = ''] = /"([0-9a-f]{64}) {2}/.exec(line) ?? []
    const other = line.replace(
      sha256,
      sha256.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
    )
    const given = { SHIPFEED_MESSAGE: 'x' }
    const { exitCode, errors } = await run(given, { text: other })
    expect([exitCode, errors]).toEqual([0, expect.stringContaining('The deployment was not announced\n')])
    expect((await run({ ...given, SHIPFEED_FAIL: 'true' }, { text: other })).exitCode).toBe(1)
    expect((await announced()).length).toBe(before)
  })
})

testAnywhere('the script is that of the repository, with the address of this server', async () => {
  const own = readFileSync(join(root, 'ci/announce.sh'), 'utf8')
  const response = await service.fetch('/ci/announce.sh')
  expect(await response.text()).toBe(own.replaceAll('@SHIPFEED_URL@', address))
  await created(await poster.announce({ message: 'The end' }))
})
