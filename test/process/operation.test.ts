import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import {
  endOf,
  freePort,
  metricsUrlOf,
  type Process,
  startProcess,
  temporaryDirectory,
} from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)
const root = join(import.meta.dir, '../..')

describe('An operator', () => {
  let service: Process
  let url: string
  /** The log that nobody read for a while, and what its process said. The other tests run during that time. */
  let unread: ReturnType<typeof leaveLogUnread>
  beforeAll(async () => {
    unread = leaveLogUnread()
    service = startProcess({ DATA_DIR: directory.path, DRAIN_SECONDS: '6', METRICS_PORT: '0' })
    url = await service.url
  })

  test('finds the metrics where the log says, in the format that Prometheus reads', async () => {
    await fetch(`${url}/badge/ada.svg`)
    const address = await metricsUrlOf(service)
    const response = await fetch(address)
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
    expect(await response.text()).toContain('shipfeed_badges_total{status="unknown"} 1\n')
    expect((await fetch(new URL('/', address))).status).toBe(404)
    expect((await fetch(`${url}/metrics`)).status).toBe(404)
  })

  test('may let it serve for a while after SIGTERM, so that a balancer sees that it is not ready', async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    service.child.kill('SIGTERM')
    await eventually('it drains', () => service.output().includes('Shipfeed is stopping'))
    const ready = await fetch(`${url}/readyz`)
    expect([ready.status, await ready.text()]).toEqual([503, 'not ready: draining\n'])
    expect((await fetch(url)).status).toBe(200)
    expect((await endOf(service)).code).toBe(0)
  })

  test('sees in the log at start that the process may open too few files', async () => {
    const child = inShell(`ulimit -n 400; exec ${process.execPath} src/main.ts 2>&1`, {
      DATA_DIR: directory.path,
      PORT: '0',
    })
    const told = await firstLineWith(child, 'This process may open 400 files')
    child.kill('SIGKILL')
    expect(told).toContain('set STREAMS_MAX to 200')
  })

  test('may let it open few files: streams are refused before anything else is', async () => {
    const port = freePort()
    const command = `ulimit -n 260; exec ${process.execPath} src/main.ts 2>&1`
    const few = inShell(command, {
      DATA_DIR: join(directory.path, 'few'),
      PORT: String(port),
      STREAMS_PER_ADDRESS: '400',
    })
    await firstLineWith(few, 'Open ')
    const at = `http://127.0.0.1:${port}`
    const leaving = new AbortController()
    const asked = Array.from({ length: 150 }, () => fetch(`${at}/feed/live`, { signal: leaving.signal }))
    const answers = (await Promise.all(asked)).map(({ status, headers }) => [
      status,
      headers.get('retry-after'),
    ])
    expect(answers.filter(([status]) => status === 200)).toHaveLength(60)
    expect(answers.filter(([status]) => status === 503)).toHaveLength(90)
    expect(answers.find(([status]) => status === 503)).toEqual([503, '20'])
    expect((await fetch(`${at}/healthz`, { headers: { Connection: 'close' } })).status).toBe(200)
    leaving.abort()
    few.kill('SIGTERM')
    expect(await few.exited).toBe(0)
  })

  test('may leave the log unread: lines are dropped and counted, and nothing stops', async () => {
    const { said, log } = await unread
    expect(said).toBe('still alive')
    expect(log).toMatch(/^\{.*"event":"lines_dropped","lines":\d{4}\}\nthe last one\n$/)
  })
})

async function leaveLogUnread() {
  const script = `
    const { standardError } = await import('./src/log/log.ts')
    const log = standardError()
    for (let n = 0; n < 5_000; n += 1) log('x'.repeat(1_000))
    await Bun.sleep(100)
    console.log('still alive')
    await Bun.write('${directory.path}/unread', '')
    await Bun.sleep(4_000)
    log('the last one')
    await Bun.sleep(1_000)
    process.exit()`
  await Bun.write(join(directory.path, 'script.ts'), script)
  // The log is not read until all is said, and then to its end.
  const waiting = `until [ -e ${directory.path}/unread ]; do sleep 0.1; done`
  const reader = `(${waiting}; grep -v xxx > ${directory.path}/log)`
  const bun = `${process.execPath} -e "$(cat ${directory.path}/script.ts)"`
  const child = inShell(`{ ${bun} 2>&1 1>&3 | ${reader}; } 3>&1`, {})
  const said = await firstLineWith(child, 'still alive')
  await child.exited
  return { said, log: await Bun.file(join(directory.path, 'log')).text() }
}

function inShell(command: string, environment: Record<string, string>) {
  return Bun.spawn(['bash', '-c', command], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', HOST: '127.0.0.1', ...environment },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  })
}

async function firstLineWith(child: ReturnType<typeof inShell>, text: string): Promise<string | null> {
  let read = ''
  for await (const chunk of child.stdout) {
    read += new TextDecoder().decode(chunk)
    const line = read.split('\n').find((line) => line.includes(text))
    if (line !== undefined) return line
  }
  return null
}
