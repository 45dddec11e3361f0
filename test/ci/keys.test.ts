import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { runScript, testInShells } from '../support/ci/script.ts'
import { textOf } from '../support/markup.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** What of a run is one announcement, and what is several: the key that ci/announce.sh makes. */
const port = freePort()
const service = await useService({ BASE_URL: `http://127.0.0.1:${port}` }, null, port)
const script = await (await service.fetch('/ci/announce.sh')).text()
const directory = temporaryDirectory()
afterAll(directory.remove)

let poster: Poster
beforeEach(async () => {
  poster = await signUpPoster(service)
})

type Environment = Readonly<Record<string, string>>

/** The page that the script says it announced. */
async function announce(environment: Environment, shell = 'dash'): Promise<string> {
  const env = { SHIPFEED_TOKEN: poster.token, ...environment }
  const { exitCode, output, errors } = await runScript(script, { cwd: directory.path, env, shell })
  expect([exitCode, errors]).toEqual([0, ''])
  expect(output).toStartWith('Announced: http')
  return output
}

const sha = '0cf03d32f7d99cf160d5375e8a40fbe3d910d515'

/** A step of a job on GitHub. In a matrix, all legs have these in common: GITHUB_JOB is the name in the file. */
const onGitHub = {
  GITHUB_ACTIONS: 'true',
  GITHUB_ACTION: '__run',
  GITHUB_JOB: 'deploy',
  GITHUB_REPOSITORY: 'ada/mono',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_RUN_ID: '78',
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_SHA: sha,
}
const onJenkins = {
  BUILD_TAG: 'jenkins-engine-42',
  BUILD_URL: 'https://jenkins.example/job/engine/42/',
  GIT_COMMIT: sha,
  GIT_URL: 'https://github.com/ada/engine.git',
}
const onGitLab = {
  CI_COMMIT_SHA: sha,
  CI_JOB_NAME: 'deploy',
  CI_PIPELINE_ID: '7',
  CI_PROJECT_ID: '1',
  CI_PROJECT_URL: 'https://gitlab.example/ada/engine',
}
/** As Kamal 2.12 calls its hooks, in lib/kamal/tags.rb. */
const ofKamal = { KAMAL_SERVICE: 'mono', KAMAL_VERSION: sha, KAMAL_COMMAND: 'deploy' }

const runs: readonly (readonly [string, Environment, readonly Environment[]])[] = [
  [
    'the legs of a matrix on GitHub, by their environment',
    onGitHub,
    [{ SHIPFEED_ENVIRONMENT: 'prod-eu' }, { SHIPFEED_ENVIRONMENT: 'prod-us' }],
  ],
  [
    'the legs of a matrix on GitHub, by their message',
    onGitHub,
    [{ SHIPFEED_MESSAGE: 'Deploy to eu' }, { SHIPFEED_MESSAGE: 'Deploy to us' }],
  ],
  [
    'the packages of a loop in one step',
    { ...onGitHub, SHIPFEED_COMMIT_MESSAGE: 'Version Packages (#7)' },
    [{ SHIPFEED_VERSION: '@ada/read@1.0.0' }, { SHIPFEED_VERSION: '@ada/logger@1.0.0' }],
  ],
  [
    'two destinations of Kamal in one step',
    { ...onGitHub, ...ofKamal },
    [{ KAMAL_DESTINATION: 'staging' }, { KAMAL_DESTINATION: 'production' }],
  ],
  [
    'two components in one step, by their links',
    onGitHub,
    [{ SHIPFEED_LINK: 'https://github.com/ada/a' }, { SHIPFEED_LINK: 'https://github.com/ada/b' }],
  ],
  [
    'a deployment and its rollback in one step',
    onGitHub,
    [{ SHIPFEED_COMMIT: sha }, { SHIPFEED_COMMIT: 'cf61e70' }],
  ],
  [
    'two stages of a build of Jenkins that announce the same',
    onJenkins,
    [{ STAGE_NAME: 'Staging' }, { STAGE_NAME: 'Production' }],
  ],
  [
    'two environments of a build of Jenkins',
    onJenkins,
    [{ SHIPFEED_ENVIRONMENT: 'staging' }, { SHIPFEED_ENVIRONMENT: 'production' }],
  ],
  [
    'two environments in one job on GitLab',
    onGitLab,
    [{ SHIPFEED_ENVIRONMENT: 'staging' }, { SHIPFEED_ENVIRONMENT: 'production' }],
  ],
]

test.each(runs)('%s are two announcements, and a retry of either is none', async (_, run, both) => {
  const pages: string[] = []
  for (const one of [...both, ...both]) pages.push(await announce({ ...run, ...one }))
  expect(new Set(pages).size).toBe(2)
  expect(pages.slice(2)).toEqual(pages.slice(0, 2))
})

test('another attempt on GitHub, and another run, are announcements of their own', async () => {
  const pages = [
    await announce(onGitHub),
    await announce({ ...onGitHub, GITHUB_RUN_ATTEMPT: '2' }),
    await announce({ ...onGitHub, GITHUB_RUN_ID: '79' }),
  ]
  expect(new Set(pages).size).toBe(3)
})

test('without a CI, each call is an announcement, and says that a shell made it', async () => {
  const same = { SHIPFEED_MESSAGE: 'Deploy' }
  expect(await announce(same)).not.toBe(await announce(same))
  expect(textOf(await (await poster.get('/settings/tokens')).text(), 'main')).toContain('from a shell')
})

describe('jobs of a run that announce the same', () => {
  test('are one announcement', async () => {
    expect(await announce(onGitHub)).toBe(await announce(onGitHub))
  })

  test('are as many as they have keys, such as the one that the docs show', async () => {
    const docs = await (await service.fetch('/docs')).text()
    const [, key = ''] = /SHIPFEED_KEY: (\S.*?)</.exec(docs) ?? []
    const keyIn = (region: string) => {
      const contexts: Environment = {
        'github.run_id': '78',
        'github.run_attempt': '1',
        'matrix.region': region,
      }
      return key.replace(/\$\{\{ (.*?) \}\}/g, (_, name: string) => contexts[name] ?? '?')
    }
    expect(keyIn('eu')).toBe('78-1-eu')
    const pages = [
      await announce({ ...onGitHub, SHIPFEED_KEY: keyIn('eu') }),
      await announce({ ...onGitHub, SHIPFEED_KEY: keyIn('us') }),
    ]
    expect(pages[0]).not.toBe(pages[1])
    expect(await announce({ ...onGitHub, SHIPFEED_KEY: keyIn('eu') })).toBe(pages[0] as string)
  })
})

test.each([
  [255, 'x'],
  [300, '✨'],
])('a job with a name of %d characters, such as %s, keeps its checksum', async (length, character) => {
  const long = { ...onGitHub, GITHUB_JOB: character.repeat(length) }
  const eu = await announce({ ...long, SHIPFEED_ENVIRONMENT: 'eu' })
  expect(await announce({ ...long, SHIPFEED_ENVIRONMENT: 'us' })).not.toBe(eu)
  expect(await announce({ ...long, SHIPFEED_ENVIRONMENT: 'eu' })).toBe(eu)
})

testInShells('the key is the same in each shell: %s', async (shell) => {
  const run = { ...onGitHub, SHIPFEED_MESSAGE: '✨ "it\'s"\n\\n', SHIPFEED_KEY: '' }
  expect(await announce(run, shell)).toBe(await announce(run))
})
