import { afterAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { databaseForProcess } from '../support/database.ts'
import { eventually, untilReady } from '../support/eventually.ts'
import { signUpPoster } from '../support/people.ts'
import { doorOf, startProcess } from '../support/process.ts'
import { receiver } from '../support/webhooks/receiver.ts'

/** A proxy that lets nothing through, and what it was asked for. */
const asked: string[] = []
const proxy = createServer((socket) => {
  socket.on('data', (data) => {
    asked.push(data.toString('latin1').split('\r\n')[0] ?? '')
    socket.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n')
  })
  socket.on('error', () => {})
}).listen(0, '127.0.0.1')
afterAll(() => proxy.close())

const issuer = 'https://gitlab.example'
const claims = { iss: issuer, aud: 'x', exp: 4e9, iat: 1, nbf: 1, jti: 'a' }
const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const jwt = `${encoded({ alg: 'RS256', kid: 'a' })}.${encoded(claims)}.${'A'.repeat(342)}`

test('issuers are asked through HTTPS_PROXY, and webhooks are sent past it', async () => {
  const { environment, drop } = await databaseForProcess()
  const address = proxy.address()
  const port = typeof address === 'object' ? address?.port : 0
  const through = `http://127.0.0.1:${port}`
  const service = startProcess({
    ...{ ...environment, WEBHOOKS: 'any', OIDC_ISSUERS: issuer },
    ...{ HTTPS_PROXY: through, HTTP_PROXY: through, https_proxy: through, http_proxy: through },
  })
  const door = doorOf(await service.url)
  await untilReady(door)
  await using hook = receiver()
  const ada = await signUpPoster(door)
  const body = new URLSearchParams({ user: ada.username, jwt })
  expect((await door.fetch('/api/oidc', { method: 'POST', body })).status).toBe(503)
  expect(asked).toEqual(['CONNECT gitlab.example:443 HTTP/1.1'])

  const added = await ada.send('/settings/webhooks', { url: hook.url, format: 'standard', withdrawals: 'on' })
  expect(added.status).toBe(303)
  await ada.announced({ message: 'Past the proxy' })
  await eventually('it has arrived', () => hook.received.length > 0)
  expect(asked).toHaveLength(1)
  service.child.kill()
  await service.child.exited
  await drop()
})
