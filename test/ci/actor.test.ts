import { afterAll, describe, expect } from 'bun:test'
import { runScript, shells } from '../support/ci/script.ts'
import { needing, testEach } from '../support/needs/needs.ts'
import { type Poster, signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** Whom, what and where ci/announce.sh says besides the commit: actor, project and address of the environment. */
const port = freePort()
const service = await useService({ BASE_URL: `http://127.0.0.1:${port}` }, null, port)
const script = await (await service.fetch('/ci/announce.sh')).text()
const directory = temporaryDirectory()
afterAll(directory.remove)
const { test } = needing('curl', 'dash')

type Environment = Readonly<Record<string, string>>

const run = (poster: Poster, env: Environment, shell = 'dash') =>
  runScript(script, { cwd: directory.path, env: { SHIPFEED_TOKEN: poster.token, ...env }, shell })

async function listed(poster: Poster): Promise<readonly Record<string, unknown>[]> {
  const list = await service.fetch(`/api/deployments?user=${poster.username}`)
  return ((await list.json()) as { deployments: Record<string, unknown>[] }).deployments
}

/** The one record of a run, of which nothing was refused. */
async function announcedBy(env: Environment, shell?: string): Promise<Record<string, unknown>> {
  const poster = await signUpPoster(service)
  const { exitCode, errors } = await run(poster, { SHIPFEED_MESSAGE: 'Deploy', ...env }, shell)
  expect([exitCode, errors]).toEqual([0, ''])
  const [record = {}, ...others] = await listed(poster)
  expect(others).toEqual([])
  return record
}

const onGitHub = { GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '78', GITHUB_RUN_ATTEMPT: '1' }
const onGitLab = {
  CI_PROJECT_URL: 'https://gitlab.example/ada/engine',
  CI_PROJECT_ID: '1',
  CI_PIPELINE_ID: '7',
  CI_JOB_NAME: 'deploy',
}
const onJenkins = { BUILD_TAG: 'jenkins-engine-42' }
const onAzure = { TF_BUILD: 'True', BUILD_BUILDID: '7' }
const onBuildkite = { BUILDKITE: 'true', BUILDKITE_BUILD_ID: '7' }

describe('the actor', () => {
  test.each<[Environment, string | undefined]>([
    [{ ...onGitHub, GITHUB_TRIGGERING_ACTOR: 'grace', GITHUB_ACTOR: 'ada' }, 'grace'],
    [{ ...onGitHub, GITHUB_ACTOR: 'ada' }, undefined],
    [{ ...onGitHub, GITEA_ACTIONS: 'true', GITHUB_TRIGGERING_ACTOR: '', GITHUB_ACTOR: 'ada' }, 'ada'],
    [{ ...onGitLab, GITLAB_USER_LOGIN: 'grace' }, 'grace'],
    [{ ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'Grace Hopper' }, 'Grace Hopper'],
    [{ ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'Ada', BUILDKITE_UNBLOCKER: 'Grace' }, 'Grace'],
    [{ CIRCLECI: 'true', CIRCLE_USERNAME: 'grace' }, 'grace'],
    [{ ...onAzure, BUILD_REQUESTEDFOR: 'Grace Hopper' }, 'Grace Hopper'],
    [{ ...onJenkins, BUILD_USER_ID: 'ghopper' }, 'ghopper'],
    [{ GITHUB_TRIGGERING_ACTOR: 'grace' }, undefined],
    [{ SHIPFEED_ACTOR: 'Grace' }, 'Grace'],
    [{ ...onGitLab, GITLAB_USER_LOGIN: 'grace', SHIPFEED_ACTOR: 'Ada' }, 'Ada'],
    [{ ...onGitLab, GITLAB_USER_LOGIN: 'grace', SHIPFEED_ACTOR: '-' }, undefined],
  ])('of a job is the person who started it, or who is named: row %#', async (env, actor) => {
    expect((await announcedBy(env)).actor).toBe(actor)
  })

  test.each<Environment>([
    { ...onGitHub, GITHUB_TRIGGERING_ACTOR: 'dependabot[bot]' },
    { ...onGitHub, GITEA_ACTIONS: 'true', GITHUB_ACTOR: 'forgejo-actions' },
    { ...onGitLab, GITLAB_USER_LOGIN: 'project_7_bot_1f' },
    { ...onGitLab, GITLAB_USER_LOGIN: 'group_7_bot' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'grace@example.com' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: ' ' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'ada\u202Eecarg' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'ada\u2066ecarg' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'ada\u061Cecarg' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'Grace\nHopper' },
    { ...onBuildkite, BUILDKITE_BUILD_CREATOR: 'é'.repeat(61) },
    { ...onAzure, BUILD_REQUESTEDFOR: 'Microsoft.VisualStudio.Services.TFS' },
    { ...onAzure, BUILD_REQUESTEDFOR: 'Project Collection Build Service (ada)' },
    { ...onJenkins, BUILD_USER_ID: 'scmChange' },
    { ...onJenkins, BUILD_USER_ID: 'timer' },
  ])('is left out where it is no name of a person, and the deployment is announced: row %#', async (env) => {
    expect((await announcedBy(env)).actor).toBeUndefined()
  })

  testEach(shells, 'curl')('is a name in any letters: %s', async (shell) => {
    for (const name of ['Софья Ковалевская', `O’Brien "it's" \\n 🎉`, 'é'.repeat(60)]) {
      const env = { ...onBuildkite, BUILDKITE_BUILD_CREATOR: name }
      expect((await announcedBy(env, shell)).actor).toBe(name)
    }
    const bot = { ...onGitHub, GITHUB_TRIGGERING_ACTOR: 'renovate[bot]' }
    expect((await announcedBy(bot, shell)).actor).toBeUndefined()
  })

  test('that somebody names is refused like any field', async () => {
    const { errors } = await run(await signUpPoster(service), { SHIPFEED_ACTOR: 'grace@example.com' })
    expect(errors).toContain('must be a name, not an e-mail address')
  })
})

test('a job that somebody else runs again is the same deployment, of who ran it first', async () => {
  const poster = await signUpPoster(service)
  const pages = []
  for (const name of ['grace', 'ada', 'dependabot[bot]']) {
    const { errors, output } = await run(poster, { ...onGitLab, GITLAB_USER_LOGIN: name })
    expect(errors).toBe('')
    pages.push(output)
  }
  expect(new Set(pages).size).toBe(1)
  expect((await listed(poster)).map(({ actor }) => actor)).toEqual(['grace'])
})

describe('the project', () => {
  test('is the one that is named, and jobs of a run that name others are other deployments', async () => {
    const poster = await signUpPoster(service)
    for (const project of ['shop/checkout', 'shop/cart', 'shop/cart']) {
      expect((await run(poster, { ...onGitLab, SHIPFEED_PROJECT: project })).errors).toBe('')
    }
    expect((await listed(poster)).map(({ project }) => project)).toEqual(['shop/cart', 'shop/checkout'])
  })

  test('is refused like any field if it is wrong', async () => {
    const { exitCode, errors } = await run(await signUpPoster(service), { SHIPFEED_PROJECT: '/engine' })
    expect([exitCode, errors]).toEqual([0, expect.stringContaining('1 to 3 names with / between them')])
  })
})

describe('the address of the environment', () => {
  const production = { ...onGitLab, CI_ENVIRONMENT_NAME: 'production' }
  const url = 'https://engine.example:8443/?a=b#c'

  test.each<[Environment, string | undefined]>([
    [{ SHIPFEED_ENVIRONMENT_URL: url }, url],
    [{ ...production, CI_ENVIRONMENT_URL: url }, url],
    [{ ...production, CI_ENVIRONMENT_URL: 'http://localhost' }, 'http://localhost'],
    [{ ...production, CI_ENVIRONMENT_URL: url, SHIPFEED_ENVIRONMENT: 'production' }, url],
    [{ ...production, CI_ENVIRONMENT_URL: url, SHIPFEED_ENVIRONMENT: 'staging' }, undefined],
    [
      { ...production, CI_ENVIRONMENT_URL: url, SHIPFEED_ENVIRONMENT_URL: 'https://a.example' },
      'https://a.example',
    ],
    [
      { ...production, CI_ENVIRONMENT_URL: `https://e.example/${'x'.repeat(2_030)}` },
      `https://e.example/${'x'.repeat(2_030)}`,
    ],
    [{ ...production, CI_ENVIRONMENT_URL: `https://e.example/${'x'.repeat(2_031)}` }, undefined],
  ])('is the one that is named, or that of the environment of GitLab: row %#', async (env, expected) => {
    expect((await announcedBy(env)).environment_url).toBe(expected)
  })

  test.each([
    ...[
      'engine.example',
      'ssh://engine.example',
      'https://',
      'https://ada:x@engine.example',
      'https://a b.example',
    ],
    ...['https://.example', 'https://a..example', 'https://engine.example:99999', 'https://$CI_SLUG.example'],
    ...['https://engine.256', 'https://engine.example/\u202E', 'javascript:alert(1)'],
  ])('is left out where GitLab has something else, and the deployment is announced: %p', async (other) => {
    expect((await announcedBy({ ...production, CI_ENVIRONMENT_URL: other })).environment_url).toBeUndefined()
  })
})
