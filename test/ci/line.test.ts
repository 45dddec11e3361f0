import { afterAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { joinSlots } from '../../src/views/page/slots.ts'
import { announcingLine, pipelineSnippets } from '../../src/views/parts/pipeline-snippets.ts'
import { execute } from '../support/ci/job.ts'
import { impatient, startTroubledServer } from '../support/ci/server.ts'
import { textOf } from '../support/markup.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** The one line for any shell: where it is shown, and that nothing of ours ends what it stands in. */
const service = await useService()
const poster = await signUpPoster(service)
const server = await startTroubledServer(service)
const directory = temporaryDirectory()
const silent = createServer(() => {}).listen(0, '127.0.0.1')
afterAll(async () => {
  silent.close()
  await server.stop()
  directory.remove()
})

describe('the line is the same', () => {
  const root = join(import.meta.dir, '../..')
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  const line = announcingLine('ADDRESS')

  test('in the README and in ci/README', () => {
    expect(line).toBe('curl -sSf --max-time 10 ADDRESS/ci/announce.sh | sh || true')
    expect(read('README.md')).toContain(`\n${announcingLine('http://localhost:3000')}\n`)
    expect(read('ci/README.md')).toContain(`\n${announcingLine('https://ship.example')}\n`)
  })

  test('on the docs page and in the settings', async () => {
    const line = announcingLine('http://shipfeed.test')
    const pages = ['/docs', '/settings'].map(async (path) =>
      textOf(await (await poster.get(path)).text(), 'main'),
    )
    for (const page of await Promise.all(pages)) expect(page).toContain(line)
    const [, shell] =
      pipelineSnippets({ baseUrl: 'ADDRESS', slots: joinSlots([]) }).find(([name]) => name === 'Shell') ?? []
    expect(shell).toEndWith(`\n${announcingLine('ADDRESS')}`)
  })

  test('and has no character that a Makefile, a unit of systemd or a template reads as its own', () => {
    expect(line).toMatch(/^[\w ./|-]+$/)
  })
})

/** Shells as CIs, tools and people start them, so that they end with the first command that fails. */
const strict = [
  ...['bash -eo pipefail', 'bash -euo pipefail', 'dash -e', 'dash -eu', 'busybox sh -eu'],
  ...['ksh -eu -o pipefail', 'mksh -eu -o pipefail', 'yash -eu', 'zsh -eu -o pipefail'],
]

const works = () => server.address('works', crypto.randomUUID())
const troubles: readonly (readonly [string, () => string])[] = [
  ['the server is down', () => `http://127.0.0.1:${freePort()}`],
  ['the server is silent', () => `http://127.0.0.1:${(silent.address() as { port: number }).port}`],
  ['the script breaks off', () => server.half],
  ['the server goes down before the announcement', () => server.gone],
  ['the server hangs at the announcement', () => server.address('hangs', crypto.randomUUID())],
  ['the script is not there', () => `${works()}/elsewhere`],
]

/** Runs the line and a command after it. */
async function run(shell: string, line: string, more: Readonly<Record<string, string>> = {}) {
  const env = { SHIPFEED_TOKEN: poster.token, SHIPFEED_MESSAGE: 'By the line', SHIPFEED_WAIT: '2', ...more }
  const script = `${line}\necho The deploy goes on`
  return await execute(shell.split(' '), { cwd: directory.path, env, script })
}

describe.concurrent.each(strict)('in %s', (shell) => {
  const [program = ''] = shell.split(' ')
  const isMissing = Bun.which(program) === null
  const needs = isMissing ? ` (needs ${program})` : ''

  test.skipIf(isMissing)(`a deploy announces, and goes on${needs}`, async () => {
    const outcome = await run(shell, announcingLine(works()), { SHIPFEED_WAIT: '60' })
    expect(outcome).toMatchObject({ exitCode: 0, log: 'Announced\nThe deploy goes on\n' })
  })

  test.skipIf(isMissing).each(troubles)(
    `a deploy goes on although %s, and sees why${needs}`,
    async (_, address) => {
      const { exitCode, log } = await run(shell, impatient(announcingLine(address()), 1))
      expect([exitCode, log]).toEqual([0, expect.stringContaining('The deploy goes on\n')])
      expect(log).toMatch(/curl: \(\d+\)/)
    },
  )
})

describe('without "|| true", in a shell with pipefail', () => {
  const line = (address: string) => impatient(announcingLine(address).replace(' || true', ''), 1)

  test('an announcement that is not made fails the deploy if that is asked for', async () => {
    const asked = { SHIPFEED_FAIL: 'true' }
    const inTime = { ...asked, SHIPFEED_WAIT: '60' }
    expect(
      (await run('bash -eo pipefail', announcingLine(works()).replace(' || true', ''), inTime)).exitCode,
    ).toBe(0)
    for (const [, address] of troubles) {
      expect((await run('bash -eo pipefail', line(address()), asked)).exitCode).not.toBe(0)
    }
  })
})
