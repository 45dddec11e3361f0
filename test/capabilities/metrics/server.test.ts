import { expect, test } from 'bun:test'
import { serveMetrics } from '../../../src/capabilities/metrics/server.ts'
import { openRaw } from '../../support/http.ts'

/** The status of a collector's request with this Host. */
async function statusBy(host: string): Promise<string> {
  const url = serveMetrics({ host: '127.0.0.1', port: 0, text: async () => 'up 1\n' })
  const lines = ['GET /metrics HTTP/1.1', `Host: ${host}`, 'Connection: close', '', '']
  return (await openRaw(url, lines).ended).split(' ')[1] ?? ''
}

test.each(['127.0.0.1', '127.0.0.1:9464', '10.89.71.130:9464', '[::1]:9464', 'localhost:9464', 'app-1:9464'])(
  'metrics are served to a request by IP address or local name: %s',
  async (host) => expect(await statusBy(host)).toBe('200'),
)

test.each([
  'rebound.example',
  'rebound.example:9464',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  'a.b',
])('and not by a name that a website may have: %s', async (host) => expect(await statusBy(host)).toBe('421'))
