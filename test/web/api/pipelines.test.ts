import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitHubActions, gitLabCi, shellFunction } from '../../../src/views/settings/pipelines.ts'
import { type Poster, signUpPoster } from '../../support/people.ts'
import { type Service, startService } from '../../support/service.ts'

/** What the snippets of the settings page do in a real shell, with a real curl. */
let service: Service
let poster: Poster
let folder: string
beforeAll(async () => {
  service = await startService()
  poster = await signUpPoster(service)
  folder = await mkdtemp(join(tmpdir(), 'shipfeed-pipelines-'))
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

type Environment = Readonly<Record<string, string>>

/** A pipeline: how its snippet becomes a script, and the environment that its runner gives for a message. */
type Pipeline = {
  readonly script: (baseUrl: string) => string
  readonly environment: (message: string) => Environment
}

const pipelines: Readonly<Record<string, Pipeline>> = {
  'GitHub Actions': {
    script: (baseUrl) => (Bun.YAML.parse(gitHubActions(baseUrl)) as { run: string }[])[0]?.run ?? '',
    environment: (message) => ({
      MESSAGE: message,
      GITHUB_REPOSITORY: 'ada/engine',
      GITHUB_RUN_ID: crypto.randomUUID(),
      GITHUB_JOB: 'deploy',
      GITHUB_SERVER_URL: 'https://github.example',
      GITHUB_SHA: 'c0ffee',
    }),
  },
  'GitLab CI': {
    script: (baseUrl) =>
      (Bun.YAML.parse(gitLabCi(baseUrl)) as { announce: { script: string[] } }).announce.script.join('\n'),
    environment: (message) => ({
      CI_COMMIT_TITLE: message,
      CI_PROJECT_ID: '7',
      CI_PIPELINE_ID: crypto.randomUUID(),
      CI_PROJECT_URL: 'https://gitlab.example/ada/engine',
      CI_COMMIT_SHA: 'c0ffee',
    }),
  },
  'the shell function': {
    script: (baseUrl) => `${shellFunction(baseUrl)}\nannounce "$GIVEN" https://shell.example/c0ffee`,
    environment: (message) => ({ GIVEN: message }),
  },
}

type Outcome = { readonly exitCode: number; readonly output: string }

/** Runs a script as runners do, where any command that fails ends it. */
async function run(script: string, environment: Environment): Promise<Outcome> {
  const shell = Bun.spawn(['sh', '-e', '-c', `${script}\necho "the job goes on"`], {
    cwd: folder,
    env: { PATH: process.env.PATH, SHIPFEED_TOKEN: poster.token, ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const output = (await new Response(shell.stdout).text()) + (await new Response(shell.stderr).text())
  return { exitCode: await shell.exited, output }
}

async function announced(): Promise<{ message: string; url: string }[]> {
  const file = await (await poster.get('/settings/export')).json()
  return (file as { deployments: { message: string; url: string }[] }).deployments
}

const hostile = '✨ "it\'s" $(touch owned) `touch owned` ; touch owned & %20 + \\n @/etc/passwd'

describe.each(Object.entries(pipelines))('%s', (_, { script, environment }) => {
  test.each(['fix: a thing', hostile, '@/etc/passwd', '-d x=y'])(
    'announces %p as it is, and runs none of it',
    async (message) => {
      const { exitCode, output } = await run(script(service.url), environment(message))
      expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining('"id"') })
      const [newest] = await announced()
      expect(newest).toMatchObject({ message, url: expect.stringMatching(/^https:\/\/.*c0ffee$/) })
      expect(await readdir(folder)).toEqual([])
    },
  )

  test.each([
    ['the token is wrong', () => service.url, { SHIPFEED_TOKEN: 'ship_x' }, 'Unauthorized'],
    ['the token is missing', () => service.url, { SHIPFEED_TOKEN: '' }, 'Unauthorized'],
    ['nothing listens', () => 'http://127.0.0.1:9', {}, 'Failed to connect'],
  ])('goes on, and says why, when %s', async (_, baseUrl, overrides, reason) => {
    const { exitCode, output } = await run(script(baseUrl()), { ...environment('a'), ...overrides })
    expect(exitCode).toBe(0)
    expect(output).toContain(reason)
    expect(output).toContain('The deployment was not announced')
    expect(output).toContain('the job goes on')
  })

  test('tries again after a 503 with the same key, so that it is announced once', async () => {
    const keys: (string | null)[] = []
    const flaky = Bun.serve({
      port: 0,
      async fetch(request) {
        keys.push(request.headers.get('idempotency-key'))
        const { headers } = request
        const answer = await service.fetch('/api', { method: 'POST', headers, body: await request.text() })
        return keys.length === 1 ? new Response('lost', { status: 503 }) : answer
      },
    })
    const before = (await announced()).length
    const { exitCode } = await run(script(flaky.url.origin), environment('retried'))
    await flaky.stop(true)
    expect(exitCode).toBe(0)
    expect(keys).toEqual([expect.stringMatching(/^[\x21-\x7e]+$/), keys[0] ?? ''])
    expect((await announced()).length).toBe(before + 1)
  })

  test('twice is two deployments', async () => {
    const before = (await announced()).length
    await run(script(service.url), environment('same'))
    await run(script(service.url), environment('same'))
    expect((await announced()).length).toBe(before + 2)
  })
})

test('GitHub Actions announces the first line of a commit', async () => {
  const { script, environment } = pipelines['GitHub Actions'] as Pipeline
  await run(script(service.url), environment('fix: first\n\nand much more'))
  expect((await announced())[0]?.message).toBe('fix: first')
})

test('no shell reads an expression of GitHub', () => {
  expect(pipelines['GitHub Actions']?.script(service.url)).not.toContain('${{')
})

test('the shell function without a message takes the subject of the last commit', async () => {
  const git =
    'git init -q; git -c user.name=a -c user.email=a@a.example commit -q --allow-empty -m "fix: $GIVEN"'
  const script = `${git}\n${shellFunction(service.url)}\nannounce`
  expect((await run(script, { GIVEN: 'from git', HOME: folder })).exitCode).toBe(0)
  expect((await announced())[0]).toMatchObject({ message: 'fix: from git', url: null })
})
