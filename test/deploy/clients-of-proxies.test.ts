import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { query } from '../support/database.ts'
import { type RunningProxy, startNginxWith } from '../support/deploy/nginx.ts'
import { codeUnder } from '../support/deploy/operations.ts'
import { startProxy } from '../support/deploy/proxies.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { sendForm } from '../support/forms.ts'
import { needing } from '../support/needs/needs.ts'
import { signUp } from '../support/people.ts'
import { freePort, proxiedDoorOf } from '../support/process.ts'
import { type Service, startService } from '../support/service.ts'

type Start = (port: number, ours: number) => Promise<RunningProxy>

const belowPath: Start = (port, ours) => {
  const [format = ''] =
    /^log_format [^;]*;/m.exec(readFileSync(join(import.meta.dir, '../../deploy/nginx.conf'), 'utf8')) ?? []
  const locations = codeUnder('Below a path', 'nginx').replaceAll('127.0.0.1:3000', `127.0.0.1:${ours}`)
  return startNginxWith(port, `${format} server { listen 127.0.0.1:${port}; ${locations} }`)
}

const proxies: readonly (readonly [
  name: string,
  program: 'haproxy' | 'nginx',
  start: Start,
  path: string,
])[] = [
  ['haproxy.cfg', 'haproxy', (port, ours) => startProxy('haproxy', port, [ours]), ''],
  ['nginx.conf', 'nginx', (port, ours) => startProxy('nginx', port, [ours]), ''],
  ["the docs' nginx below a path", 'nginx', belowPath, '/ship'],
]

/** What a read key opens, each in a location of its own of one of the proxies. */
const keyed = ['/wall', '/feed.atom', '/feed/live', '/badge/ada', '/api/deployments', '/api/deployments/live']

for (const [name, program, start, path] of proxies) {
  needing(program).describe(`A client of ${name}`, () => {
    const [port, ours] = [freePort(), freePort()]
    const address = `http://127.0.0.1:${port}${path}`
    const door = proxiedDoorOf(address)
    let service: Service
    let proxy: RunningProxy

    beforeAll(async () => {
      const environment = { BASE_URL: address, TRUSTED_PROXIES: '127.0.0.0/24' }
      service = await startService(environment, null, ours)
      proxy = await start(port, ours)
      await untilReady(door)
      // All tests come from one address.
      await query(service.db, sql`delete from attempts`)
    })
    afterAll(async () => {
      await proxy.stop()
      await service.close()
    })

    test('cannot choose the address by which it is throttled', async () => {
      const { username } = await signUp(service)
      const statuses = []
      for (let n = 1; n <= 45; n += 1) {
        const forged = { 'X-Forwarded-For': `203.0.113.${n}` }
        const fields = { username, password: `wrong words ${n}` }
        statuses.push((await sendForm(door, '/sign-in', fields, forged)).status)
      }
      expect(statuses).toEqual([...Array(10).fill(422), ...Array(35).fill(429)])
    })

    test('cannot choose the request id of its log lines', async () => {
      const forged = { 'X-Request-Id': 'forged-by-a-client' }
      const { username } = await signUp(service, { username: `${program}-${port}` })
      await sendForm(door, '/sign-in', { username, password: 'wrong words' }, forged)
      const lines = service.events.filter((line) => line.includes(`"${username}"`))
      expect(lines.join('\n')).not.toContain('forged-by-a-client')
      expect(JSON.parse(lines.at(-1) ?? '{}').request).toMatch(/^[0-9a-f-]{32,36}$/)
    })

    test('leaves no secret from a URL in the access log or the error log', async () => {
      const secret = 'a-secret-of-a-link'
      const Referer = `${address}/password?link=${secret}`
      await door.fetch(`/password?link=${secret}`)
      await door.fetch('/assets/style.css', { headers: { Referer } })
      await eventually('it is logged', () => proxy.log().includes('/password'))
      await service.close()
      const addresses = [`/password?link=${secret}`, ...keyed.map((address) => `${address}?key=${secret}`)]
      for (const address of addresses) {
        expect((await door.fetch(address, { headers: { Referer } })).status).toBeGreaterThan(500)
      }
      await Bun.sleep(100)
      expect(proxy.log()).not.toContain(secret)
    })
  })
}
