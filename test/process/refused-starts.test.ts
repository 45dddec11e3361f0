import { afterAll, describe, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { endOf, linesOf, startProcess, temporaryDirectory } from '../support/process.ts'

const directory = temporaryDirectory()
afterAll(directory.remove)

describe('Starting is refused with one line that names the setting:', () => {
  // What each setting refuses is in config.test.ts.
  test.each([
    ['PORT', { PORT: '99999' }],
    ['BASE_URL', { BASE_URL: '', NODE_ENV: 'production' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://root:open-sesame@127.0.0.1/x' }],
    ['pgbouncer', { DATABASE_URL: 'postgres://ada:open-sesame@127.0.0.1/x?sslmode=require&pgbouncer=true' }],
    ['DATA_DIR', { DATA_DIR: '/dev/null' }],
  ])('%s %p', async (name, environment) => {
    await expectRefused(name, environment)
  })

  test('a PORT that is in use', async () => {
    const server = createServer()
    const port = await new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        const address = server.address()
        resolve(address !== null && typeof address === 'object' ? address.port : 0)
      })
    })
    await expectRefused(inUse(port), { PORT: String(port), DATA_DIR: join(directory.path, 'data') })
    server.close()
  })

  test('a PORT that another Shipfeed has', async () => {
    const first = startProcess({ DATA_DIR: join(directory.path, 'data') })
    const { port } = new URL(await first.url)
    await expectRefused(inUse(port), { PORT: port, DATA_DIR: join(directory.path, 'other') })
    first.child.kill('SIGKILL')
    await first.child.exited
  })
})

function inUse(port: number | string): string {
  return `Port ${port} is in use. Stop what uses it, or set PORT.`
}

async function expectRefused(name: string, environment: Record<string, string>): Promise<void> {
  const { code, output } = await endOf(startProcess({ DATA_DIR: directory.path, ...environment }))
  const [refusal, ...more] = linesOf(output).others
  expect(refusal).toStartWith('Shipfeed cannot start: ')
  expect(refusal).toContain(name)
  expect(output).not.toContain('open-sesame')
  expect(more).toEqual([])
  expect(code).toBe(1)
}
