import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { runScript, testInShells } from '../support/ci/script.ts'
import { signUpPoster } from '../support/people.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { useService } from '../support/service.ts'

/** What ci/announce.sh needs and takes: it must never end, hold or change the deploy that calls it. */
const port = freePort()
const address = `http://127.0.0.1:${port}`
const service = await useService({ BASE_URL: address }, null, port)
const poster = await signUpPoster(service)
const script = await (await service.fetch('/ci/announce.sh')).text()
const directory = temporaryDirectory()
afterAll(directory.remove)

let count = 0
beforeEach(() => {
  count += 1
})

const needed = ['awk', 'curl', 'od', 'sed', 'sleep', 'tr'] as const

/** A folder with all programs that the script needs but one. */
function tools(without = ''): string {
  const path = join(directory.path, `${count}-without-${without}`)
  mkdirSync(path)
  for (const tool of needed) {
    if (tool !== without) symlinkSync(Bun.which(tool) ?? '', join(path, tool))
  }
  return path
}

type Options = { readonly shell?: string; readonly cwd?: string }

async function run(
  env: Readonly<Record<string, string>>,
  { shell = 'dash', cwd = directory.path }: Options = {},
) {
  const began = performance.now()
  // Some of these find no shell in their PATH.
  const found = shell.split(' ').map((word) => Bun.which(word) ?? word)
  const given = { SHIPFEED_TOKEN: poster.token, SHIPFEED_MESSAGE: 'x', ...env }
  const outcome = await runScript(script, { cwd, env: given, shell: found.join(' ') })
  return { ...outcome, seconds: (performance.now() - began) / 1000 }
}

const announced = { exitCode: 0, output: expect.stringContaining('Announced: http'), errors: '' }

describe('the script announces', () => {
  testInShells('where no file can be written, with the six programs that it needs, in %s', async (shell) => {
    // Nobody may write to /proc, root included.
    const env = { PATH: tools(), HOME: '/proc', TMPDIR: '/proc' }
    expect(await run(env, { shell, cwd: '/proc' })).toMatchObject(announced)
  })

  test.each(['dash -eu', 'bash -euo pipefail', 'bash -x'])(
    'in a shell that is started as %s',
    async (shell) => {
      const { exitCode, output } = await run({}, { shell })
      expect([exitCode, output]).toEqual([0, expect.stringContaining('Announced: http')])
    },
  )

  test('in a Bash that inherits options', async () => {
    const inherited = { SHELLOPTS: 'braceexpand:errexit:hashall:nounset:pipefail' }
    expect(await run(inherited, { shell: 'bash' })).toMatchObject(announced)
  })
})

test.each(needed)(
  'without %s, nothing is announced, the log says why, and the deploy goes on',
  async (tool) => {
    const env = { PATH: tools(tool) }
    expect(await run(env)).toMatchObject({
      exitCode: 0,
      output: '',
      errors: `The deployment was not announced: there is no ${tool} here\n`,
    })
    expect((await run({ PATH: env.PATH, SHIPFEED_FAIL: 'true' })).exitCode).toBe(1)
  },
)

/** A server that treats each call in turn as it is told, the last of them again and again. */
async function serverThat(...ways: readonly ((socket: Socket) => void)[]) {
  const calls: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      calls.push(data.toString())
      ways[Math.min(calls.length, ways.length) - 1]?.(socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

const answers = (text: string) => (socket: Socket) => void socket.end(text)
const answersWith = (status: string, ...headers: string[]) =>
  answers(`HTTP/1.1 ${[status, ...headers, 'Connection: close', '', ''].join('\r\n')}`)
const saysNothing = () => {}

describe('SHIPFEED_WAIT bounds all tries', () => {
  testInShells('of a server that says nothing, in %s', async (shell) => {
    await using server = await serverThat(saysNothing)
    const { exitCode, errors, seconds } = await run(
      { SHIPFEED_URL: server.url, SHIPFEED_WAIT: '2' },
      { shell },
    )
    expect([exitCode, errors]).toEqual([
      0,
      expect.stringMatching(/not announced: curl: \(28\) .* \(000\)\n$/),
    ])
    expect(seconds).toBeLessThan(20)
    expect(server.calls).toHaveLength(1)
  })

  test('of a server that is down', async () => {
    const given = { SHIPFEED_URL: `http://127.0.0.1:${freePort()}`, SHIPFEED_WAIT: '3' }
    const { exitCode, errors, seconds } = await run(given)
    expect([exitCode, errors]).toEqual([0, expect.stringMatching(/not announced: curl: \(7\) .* \(000\)\n$/)])
    expect(seconds).toBeLessThan(30)
    expect((await run({ ...given, SHIPFEED_FAIL: 'true' })).exitCode).toBe(1)
  })

  test('of a server that fails: the pauses between them grow', async () => {
    await using server = await serverThat(answersWith('503 Service Unavailable'))
    const { errors, seconds } = await run({ SHIPFEED_URL: server.url, SHIPFEED_WAIT: '6' })
    expect(errors).toEndWith('(503)\n')
    // At once, and after one and three seconds. The next one would be after seven.
    expect(server.calls).toHaveLength(3)
    expect(seconds).toBeLessThan(60)
  })

  test('of the exchange of an identity token', async () => {
    await using server = await serverThat(saysNothing)
    const identity = { SHIPFEED_TOKEN: '', SHIPFEED_USER: 'ada', SHIPFEED_ID_TOKEN: 'x' }
    const { exitCode, errors } = await run({ ...identity, SHIPFEED_URL: server.url, SHIPFEED_WAIT: '2' })
    expect([exitCode, errors]).toEqual([0, expect.stringContaining('curl: (28)')])
    expect(server.calls).toHaveLength(1)
  })

  test('and no longer wait is begun, however long a server asks for', async () => {
    for (const later of ['120', '3600', '99999999999999999999']) {
      await using server = await serverThat(answersWith('429 Too Many Requests', `Retry-After: ${later}`))
      const { exitCode, errors, seconds } = await run({ SHIPFEED_URL: server.url })
      expect([exitCode, errors]).toEqual([0, expect.stringContaining('(429)')])
      expect(seconds).toBeLessThan(60)
      expect(server.calls).toHaveLength(1)
    }
  })

  test.each(['1', '9999'])('%s is taken', async (SHIPFEED_WAIT) => {
    expect(await run({ SHIPFEED_WAIT })).toMatchObject(announced)
  })

  test.each(['0', '10000', '010', '2m', '-1', '1.5', 'x'])(
    '%s is not taken, with a warning',
    async (SHIPFEED_WAIT) => {
      expect(await run({ SHIPFEED_WAIT })).toMatchObject({
        ...announced,
        errors: 'SHIPFEED_WAIT must be 1 to 9999 seconds, so it is 120\n',
      })
    },
  )
})

test('a server that dies in the middle of its answers is asked again, with the same key', async () => {
  await using server = await serverThat(
    (socket) => socket.end(),
    (socket) => socket.resetAndDestroy(),
    answers('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"id":'),
    answersWith('201 Created', 'Content-Length: 0'),
  )
  const { exitCode, output, errors } = await run({ SHIPFEED_URL: server.url })
  expect([exitCode, output, errors]).toEqual([0, 'Announced\n', ''])
  expect(server.calls).toHaveLength(4)
  expect(new Set(server.calls.map((call) => /^Idempotency-Key: .*$/m.exec(call)?.[0])).size).toBe(1)
})

test('an answer to an earlier call is never shown', async () => {
  await using server = await serverThat(
    answers('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"token":"ship_secret"'),
    answersWith('403 Forbidden'),
  )
  const identity = { SHIPFEED_TOKEN: '', SHIPFEED_USER: 'ada', SHIPFEED_ID_TOKEN: 'x' }
  const { output, errors } = await run({ ...identity, SHIPFEED_URL: server.url })
  expect([output, errors]).toEqual(['', 'The deployment was not announced:  (403)\n'])
})

testInShells('an answer is shown as it is, without its escapes, in %s', async (shell) => {
  const body = String.raw`{"message":"x\n::error::planted \c \033[31m %s"}`
  await using server = await serverThat(answers(`HTTP/1.1 422 No\r\nConnection: close\r\n\r\n${body}`))
  const { errors } = await run({ SHIPFEED_URL: server.url }, { shell })
  expect(errors).toBe(`The deployment was not announced: ${body} (422)\n`)
})

test.each([
  ['interim answers', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLocation: /no\r\n\r\n'],
  ['nothing', ''],
])('%s may come before the answer', async (_, before) => {
  await using server = await serverThat((socket) =>
    socket.end(`${before}HTTP/1.1 201 Created\r\nLOCATION: ${server.url}/ada/7\r\nContent-Length: 0\r\n\r\n`),
  )
  expect((await run({ SHIPFEED_URL: server.url })).output).toBe(`Announced: ${server.url}/ada/7\n`)
})

test('a field that is empty is not sent', async () => {
  const bodies: string[] = []
  await using server = Bun.serve({
    port: 0,
    async fetch(request) {
      bodies.push(await request.text())
      return new Response('', { status: 201 })
    },
  })
  await run({ SHIPFEED_URL: server.url.origin, SHIPFEED_MESSAGE: 'm & m' })
  expect(bodies.map((body) => body.split('&').map((field) => field.split('=')[0]))).toEqual([['message']])
})

const hasMksh = Bun.which('mksh') !== null
test.skipIf(!hasMksh)(
  `where printf is a program, it is told neither secrets nor messages${hasMksh ? '' : ' (needs mksh)'}`,
  async () => {
    const PATH = tools()
    const log = join(PATH, 'log')
    writeFileSync(join(PATH, 'printf'), `#!/bin/sh\necho "$*" >> '${log}'\n`)
    chmodSync(join(PATH, 'printf'), 0o755)
    expect(
      (await run({ PATH, SHIPFEED_TOKEN: 'ship_x', SHIPFEED_MESSAGE: 'Not for others' }, { shell: 'mksh' }))
        .exitCode,
    ).toBe(0)
    // It was refused, which is no secret.
    expect(existsSync(log)).toBeTrue()
    expect(readFileSync(log, 'utf8')).not.toMatch(/ship_x|Not for others/)
  },
)
