import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gitHubActions, gitLabCi, shellFunction } from '../../../src/views/parts/pipelines.ts'
import { signUpPoster } from '../../support/people.ts'
import { freePort } from '../../support/process.ts'
import { useService } from '../../support/service.ts'

/** What the snippets of the settings page do in a real shell, with a real curl. */
const service = await useService()
const poster = await signUpPoster(service)
const folder = await mkdtemp(join(tmpdir(), 'shipfeed-pipelines-'))
const tooOften = Bun.serve({
  port: 0,
  fetch: () => new Response('slow down', { status: 429, headers: { 'Retry-After': '1' } }),
})
afterAll(async () => {
  await tooOften.stop(true)
  await rm(folder, { recursive: true })
})

type Environment = Readonly<Record<string, string>>

/** A pipeline: how its snippet becomes a script, and the environment that its runner gives for a message. */
type Pipeline = {
  readonly script: (baseUrl: string) => string
  readonly environment: (message: string) => Environment
  readonly shell: readonly string[]
  /** What becomes of its job where the deployment is not announced, and the line that its CI shows then. */
  readonly failure: { readonly exitCode: number; readonly line: RegExp }
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
    // As its runner starts "shell: bash", on Windows too.
    shell: ['bash', '--noprofile', '--norc', '-eo', 'pipefail'],
    // Its runner sees a command only at the beginning of a line.
    failure: { exitCode: 0, line: /^::warning::The deployment was not announced: (.*)$/m },
  },
  'GitLab CI': {
    script: (baseUrl) =>
      (Bun.YAML.parse(gitLabCi(baseUrl)) as { announce: { script: string[] } }).announce.script.join('\n'),
    environment: (message) => ({
      CI_COMMIT_MESSAGE: message,
      CI_PROJECT_ID: '7',
      CI_PIPELINE_ID: crypto.randomUUID(),
      CI_PROJECT_URL: 'https://gitlab.example/ada/engine',
      CI_COMMIT_SHA: 'c0ffee',
    }),
    shell: ['sh', '-e'],
    // With "allow_failure" the pipeline passes, with a warning.
    failure: { exitCode: 1, line: /^The deployment was not announced: (.*)$/m },
  },
  'the shell function': {
    script: (baseUrl) => `${shellFunction(baseUrl)}\nannounce "$GIVEN" https://shell.example/c0ffee`,
    environment: (message) => ({ GIVEN: message }),
    shell: ['sh', '-e'],
    failure: { exitCode: 0, line: /^The deployment was not announced: (.*)$/m },
  },
}

type Outcome = { readonly exitCode: number; readonly output: string }

/**
 * Runs a script as runners do, where any command that fails ends it. A second is as good as the growing
 * waits.
 */
async function run(
  script: string,
  environment: Environment,
  command: readonly string[],
  retries = 5,
): Promise<Outcome> {
  const impatient = script.replace('--retry 5', `--retry ${retries} --retry-delay 1`)
  const shell = Bun.spawn([...command, '-c', `${impatient}\necho "the job goes on"`], {
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

describe.each(Object.entries(pipelines))('%s', (_, { script, environment, shell, failure }) => {
  test.each(['fix: a thing', hostile, '@/etc/passwd', '-d x=y'])(
    'announces %p as it is, and runs none of it',
    async (message) => {
      const outcome = await run(script(service.url), environment(message), shell)
      expect(outcome).toEqual({ exitCode: 0, output: 'the job goes on\n' })
      const [newest] = await announced()
      expect(newest).toMatchObject({ message, url: expect.stringMatching(/^https:\/\/.*c0ffee$/) })
      expect(await readdir(folder)).toEqual([])
    },
  )

  test.each([
    ['the token is wrong', () => service.url, { SHIPFEED_TOKEN: 'ship_x' }, /Unauthorized.* 401$/],
    ['the token is missing', () => service.url, { SHIPFEED_TOKEN: '' }, /Unauthorized.* 401$/],
    ['the message is blank', () => service.url, environment('\u200b'), /can't be blank.* 422$/],
    ['it is too often', () => tooOften.url.origin, {}, /slow down 429$/],
    ['nothing listens', () => 'http://127.0.0.1:9', {}, / 000$/],
  ])('shows a warning that says why when %s', async (_, baseUrl, overrides, reason) => {
    const variables = { ...environment('a'), ...overrides }
    const { exitCode, output } = await run(script(baseUrl()), variables, shell, 1)
    expect(exitCode).toBe(failure.exitCode)
    expect(failure.line.exec(output)?.[1]).toMatch(reason)
    expect(output.includes('the job goes on')).toBe(exitCode === 0)
  })

  test('outlasts a restart and a lost answer, and announces once, by the same key', async () => {
    const port = freePort()
    const keys: (string | null)[] = []
    const starting = setTimeout(() => {
      restarted = Bun.serve({
        port,
        async fetch(request) {
          keys.push(request.headers.get('idempotency-key'))
          const { headers } = request
          const answer = await service.fetch('/api', { method: 'POST', headers, body: await request.text() })
          return keys.length === 1 ? new Response('lost', { status: 503 }) : answer
        },
      })
    }, 2_000)
    let restarted: ReturnType<typeof Bun.serve> | null = null
    const before = (await announced()).length
    const { exitCode } = await run(script(`http://localhost:${port}`), environment('retried'), shell)
    clearTimeout(starting)
    await (restarted as ReturnType<typeof Bun.serve> | null)?.stop(true)
    expect(exitCode).toBe(0)
    expect(keys).toEqual([expect.stringMatching(/^[\x21-\x7e]+$/), keys[0] ?? ''])
    expect((await announced()).length).toBe(before + 1)
  })

  test('twice is two deployments', async () => {
    const before = (await announced()).length
    await run(script(service.url), environment('same'), shell)
    await run(script(service.url), environment('same'), shell)
    expect((await announced()).length).toBe(before + 2)
  })

  test('has the time to wait out the minute of a 429', () => {
    expect(Number(/--retry-max-time (\d+)/.exec(script(''))?.[1])).toBeGreaterThan(60)
  })

  test('knows no option that curl 7.52 does not know', () => {
    const options = new Set(script('').match(/(?<= )--?[a-z][a-z-]*(?= )/gi))
    const known = ['--data-urlencode', '--max-time', '--retry', '--retry-connrefused', '--retry-max-time']
    const ofOthers = ['-An', '-N16', '-d', '-tx1', '--format']
    expect(
      [...options].filter((option) => ![...known, ...ofOthers, '-sS', '-w', '-H'].includes(option)),
    ).toEqual([])
  })
})

const titles: readonly (readonly [what: string, message: string, title: string])[] = [
  ['the first line of a commit', 'fix: first\n\nand much more', 'fix: first'],
  ['what was merged', 'Merge pull request #12 from ada/fix-login\n\nFix login\n\nmore', 'Fix login'],
  [
    'what was merged, with line ends of Windows',
    "Merge branch 'a' into 'b'\r\n\r\nFix login\r\n",
    'Fix login',
  ],
  ['a merge that says nothing more', "Merge branch 'main'", "Merge branch 'main'"],
  ['a commit about merging', 'Merged feeds\n\nand more', 'Merged feeds'],
  ['4,000 bytes', 'a'.repeat(4_000), 'a'.repeat(4_000)],
  ['at most 4,000 bytes', 'a'.repeat(40_000), 'a'.repeat(4_000)],
  ['whole characters', `a${'🚀'.repeat(2_000)}`, `a${'🚀'.repeat(999)}`],
  ['whole characters of two bytes', 'é'.repeat(2_001), 'é'.repeat(1_999)],
]

describe.each(['GitHub Actions', 'GitLab CI'])('%s announces', (name) => {
  test.each(titles)('%s', async (_, message, title) => {
    const { script, environment, shell } = pipelines[name] as Pipeline
    await run(script(service.url), environment(message), shell)
    expect((await announced())[0]?.message).toBe(title)
  })
})

test('no shell reads an expression of GitHub', () => {
  expect(pipelines['GitHub Actions']?.script(service.url)).not.toContain('${{')
})

test('the shell function without a message takes the title of the last commit', async () => {
  const git = 'git init -q; git -c user.name=a -c user.email=a@a.example commit -q --allow-empty -m "$GIVEN"'
  const script = `${git}\n${shellFunction(service.url)}\nannounce`
  const given = { GIVEN: 'Merge branch x\n\nfix: from git', HOME: folder }
  expect((await run(script, given, ['sh', '-e'])).exitCode).toBe(0)
  expect((await announced())[0]).toMatchObject({ message: 'fix: from git', url: null })
})
