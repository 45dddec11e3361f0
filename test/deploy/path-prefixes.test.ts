import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { needing } from '../support/needs/needs.ts'
import { programOf } from '../support/needs/programs.ts'
import { freePort, temporaryDirectory } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

const operations = readFileSync(join(import.meta.dir, '../../docs/operations.md'), 'utf8')
const [, ofHaproxy = ''] = /`(http-request replace-path [^`]+)`/.exec(operations) ?? []
const [, ofCaddy = ''] = /`(handle_path [^`]+)`/.exec(operations) ?? []

describe('The documented rule removes the path', () => {
  const port = freePort()
  const { path: folder, remove } = temporaryDirectory()
  const file = join(folder, 'configuration')
  let service: Service
  beforeAll(async () => {
    service = await startService({ BASE_URL: `http://127.0.0.1:${port}/ship` })
  })
  afterAll(async () => {
    await service.close()
    remove()
  })

  needing('haproxy').test('for haproxy', async () => {
    const timeouts = ['connect', 'client', 'server'].map((of) => `  timeout ${of} 30s`).join('\n')
    const { host } = new URL(service.url)
    writeFileSync(
      file,
      `defaults\n  mode http\n${timeouts}\nlisten ship\n  bind 127.0.0.1:${port}\n  ${ofHaproxy}\n  server one ${host}\n`,
    )
    await passesOn([programOf('haproxy') ?? '', '-db', '-f', file])
  })

  needing('caddy').test('for Caddy', async () => {
    const { host } = new URL(service.url)
    const rule = ofCaddy.replace('…', `\n    reverse_proxy ${host}\n  `)
    writeFileSync(file, `{\n  admin off\n}\nhttp://127.0.0.1:${port} {\n  ${rule}\n}\n`)
    await passesOn(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'])
  })

  async function passesOn(command: readonly string[]) {
    const env = { PATH: process.env.PATH ?? '', HOME: folder }
    const proxy = Bun.spawn([...command], { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' })
    try {
      const at = (path: string) => fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' })
      const answers = () =>
        at('/ship').then(
          ({ ok }) => ok,
          () => false,
        )
      await eventually('it answers', answers)
      for (const path of ['/ship', '/ship/', '/ship/?q=a', '/ship/badge/ada.svg', '/ship/docs']) {
        expect([path, (await at(path)).status]).toEqual([path, 200])
      }
      expect(await (await at('/ship/docs')).text()).toContain('href="/ship/sign-in')
      expect((await at('/ship/ship')).status).toBe(404)
    } finally {
      proxy.kill('SIGKILL')
      await proxy.exited
    }
  }
})
