import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { programOf } from '../support/needs/programs.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { startService } from '../support/service.ts'

const operations = readFileSync(join(import.meta.dir, '../../docs/operations.md'), 'utf8')

needing('haproxy').test('the rule for haproxy in the documents removes the path', async () => {
  const [, rule = ''] = /`(http-request replace-path [^`]+)`/.exec(operations) ?? []
  const directory = temporaryDirectory()
  const port = freePort()
  await using service = await startService({ BASE_URL: `http://127.0.0.1:${port}/ship` })
  const file = join(directory.path, 'haproxy.cfg')
  writeFileSync(
    file,
    `defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
listen ship
  bind 127.0.0.1:${port}
  ${rule}
  server one ${new URL(service.url).host}
`,
  )
  const haproxy = Bun.spawn([programOf('haproxy') ?? 'haproxy', '-db', '-f', file], { stderr: 'ignore' })
  try {
    const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
    await eventually('it answers', () =>
      at('/ship').then(
        () => true,
        () => false,
      ),
    )
    for (const path of [
      '/ship',
      '/ship/',
      '/ship/?q=a',
      '/ship/healthz',
      '/ship/badge/ada.svg',
      '/ship/docs',
    ]) {
      expect([path, (await at(path)).status]).toEqual([path, 200])
    }
    expect(await (await at('/ship/docs')).text()).toContain('href="/ship/sign-in')
    expect((await at('/ship/ship')).status).toBe(404)
  } finally {
    haproxy.kill()
    await haproxy.exited
    directory.remove()
  }
})
