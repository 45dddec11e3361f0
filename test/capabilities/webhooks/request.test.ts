import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isPublicAddress, parseWebhookUrl } from '../../../src/capabilities/webhooks/address.ts'
import { request } from '../../../src/capabilities/webhooks/delivery/request.ts'
import { needing } from '../../support/needs/needs.ts'

const { test: testWithOpenssl } = needing('openssl')
const message = { method: 'POST', url: '', headers: {}, body: '{}' } as const

function send(
  url: string,
  {
    reach = 'public',
    resolve = async () => ['127.0.0.1'],
    ca,
    ms = 5_000,
  }: {
    reach?: 'public' | 'any'
    resolve?: (name: string) => Promise<readonly string[]>
    ca?: string
    ms?: number
  } = {},
) {
  return request({ ...message, url }, { reach, signal: AbortSignal.timeout(ms), resolve, ca })
}

/** Addresses that are not of the public internet, in each spelling that a resolver or a URL may have. */
const inner = `
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.1.2.3
  127.255.255.255 168.63.129.16 169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.1
  192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.1
  224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::127.0.0.1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1 ::ffff:8.8.8.8 0:0:0:0:0:ffff:a9fe:a9fe
  64:ff9b::7f00:1 64:ff9b::10.0.0.1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
  2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1:: 2002:a00:1:: 2002:808:808:: 3fff::1 3fff:fff::1
  5f00::1 fc00::1 fd00::1 fd00:ec2::254 fdff:ffff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff00::1 ff02::1 ff0e::1
  4000::1 1fff::1 8000::1 e000::1
`
  .trim()
  .split(/\s+/)

/** The nearest public neighbours of some of these blocks. */
const outer = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
  168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 192.167.255.255 192.169.0.0
  198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255
  2000::1 2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700:4700::1111 3ffe:ffff::1
  3fff:1000::1 2A00:1450:4001:81b:0:0:0:200e
`
  .trim()
  .split(/\s+/)

const noAddresses = [
  '',
  'localhost',
  '1.2.3',
  '1.2.3.4.5',
  '01.2.3.4',
  '256.1.1.1',
  '2130706433',
  '1:2',
  '::1::',
  ':::',
  '2001:db8::g',
  '1.2.3.4:80',
]

describe('An address of the public internet', () => {
  test('is not one of a private, special or translated block', () => {
    expect([...inner, ...noAddresses].filter(isPublicAddress)).toEqual([])
    expect(outer.filter((address) => !isPublicAddress(address))).toEqual([])
    expect(inner.length).toBeGreaterThan(60)
  })
})

/** Addresses that a user may type, in every spelling, and that `public` refuses. */
const refused = [
  ...inner
    .filter((one) => !one.includes('%'))
    .map((one) => `https://${one.includes(':') ? `[${one}]` : one}/hook`),
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://127.1/',
  'https://127.0.1/',
  'https://0/',
  'https://127.0.0.1./',
  'https://①②⑦.0.0.1/',
  'https://１２７.0.0.1/',
  'https://127。0。0。1/',
  'https://%31%32%37.0.0.1/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://api.localhost/',
  'https://[::ffff:127.0.0.1]/',
  'https://[0:0:0:0:0:0:0:1]/',
  'https://user@example.com/',
  'https://user:word@example.com/',
  'https://example.com@127.0.0.1/',
  'https://:word@example.com/',
  'http://example.com/',
  'http://example.com:443/',
  'https://example.com:80/',
  'https://example.com:22/',
  'https://example.com:8080/',
  'https://example.com:6443/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//example.com/',
  'example.com/hook',
  'https://',
  'https://exa mple.com/',
  'https://example.com/a b',
  'https://example.com/\n',
  'https://[::1%25eth0]/',
  'https://[fe80::1%25lo]/',
  `https://example.com/${'a'.repeat(2_048)}`,
  `https://${'a'.repeat(400)}.example/`,
  '',
  '   ',
]

test('an address that a user types is https, on port 443 or 8443, without a user, and not one of ours', () => {
  const taken = refused.filter((url) => parseWebhookUrl(`${url}`, 'public').outcome === 'valid')
  // Typed spaces at the ends are no part of it.
  expect(taken).toEqual(['https://example.com/\n'])
  for (const url of [
    'https://example.com/',
    'https://example.com:8443/a?b=c',
    'https://8.8.8.8/',
    'https://[2606:4700::1]/',
  ]) {
    expect<unknown>(parseWebhookUrl(`${url}#part`, 'public')).toEqual({ outcome: 'valid', value: url })
  }
  for (const url of ['http://127.0.0.1:8080/', 'http://[::1]/']) {
    expect(parseWebhookUrl(url, 'any').outcome).toBe('valid')
    expect(parseWebhookUrl(url.replace('//', '//ada@'), 'any').outcome).toBe('invalid')
  }
})

test('nothing is dialled if a name leads to an inner address, even if only one of several', async () => {
  let dialled = 0
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch() {
      dialled += 1
      return new Response()
    },
  })
  const outcomes = await Promise.all(
    inner.flatMap((address) => [
      send(`https://hooks.example:${server.port}/`, { resolve: async () => [address] }),
      send(`https://hooks.example:${server.port}/`, { resolve: async () => ['93.184.216.34', address] }),
    ]),
  )
  expect(new Set(outcomes.map(({ error }) => error))).toEqual(
    new Set(['it leads to no address that may be called']),
  )
  expect((await send(`https://127.0.0.1:${server.port}/`)).error).toBe(
    'it leads to no address that may be called',
  )
  expect((await send('https://nowhere.example/', { resolve: async () => [] })).error).toBe(
    'it leads to no address that may be called',
  )
  expect(dialled).toBe(0)
})

test('a name that changes what it leads to is resolved once', async () => {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers }) => new Response(headers.get('host')),
  })
  let asked = 0
  const resolve = async () => {
    asked += 1
    return asked === 1 ? ['127.0.0.2', '127.0.0.1'] : ['127.0.0.3']
  }
  const tried = await send(`http://hooks.example:${server.port}/`, { reach: 'any', resolve })
  // The first address refuses the connection, so the second one is dialled.
  expect(tried).toEqual({ status: 200, error: null, retryAfterMs: null })
  expect(asked).toBe(1)
})

testWithOpenssl('the certificate must be valid for the name, although an address is dialled', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipfeed-tls-'))
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  Bun.spawnSync([
    ...[
      'openssl',
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
    ],
    ...['-subj', '/CN=hooks.example', '-addext', 'subjectAltName=DNS:hooks.example'],
    ...['-keyout', key, '-out', certificate],
  ])
  const ca = readFileSync(certificate, 'utf8')
  const hosts: (string | null)[] = []
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    tls: { key: readFileSync(key, 'utf8'), cert: ca },
    fetch({ headers }) {
      hosts.push(headers.get('host'))
      return new Response(null, { status: 204 })
    },
  })
  rmSync(folder, { recursive: true })
  const port = server.port
  expect((await send(`https://hooks.example:${port}/`, { reach: 'any', ca })).status).toBe(204)
  const wrong = 'its certificate is not valid'
  expect((await send(`https://other.example:${port}/`, { reach: 'any', ca })).error).toBe(wrong)
  expect((await send(`https://hooks.example:${port}/`, { reach: 'any' })).error).toBe(wrong)
  expect(hosts).toEqual([`hooks.example:${port}`])
})

test('no redirect is followed, and no body of an answer is waited for', async () => {
  const paths: string[] = []
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch({ url }) {
      const { pathname } = new URL(url)
      paths.push(pathname)
      if (pathname === '/to') return new Response(null, { status: 307, headers: { Location: '/inner' } })
      // It never ends.
      return new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1_000_000)) }),
      )
    },
  })
  const at = `http://hooks.example:${server.port}`
  expect((await send(`${at}/to`, { reach: 'any' })).status).toBe(307)
  expect((await send(`${at}/endless`, { reach: 'any' })).status).toBe(200)
  expect(paths).toEqual(['/to', '/endless'])
})

test('an address or a resolver that never answers is given up', async () => {
  const over = Promise.withResolvers<Response>()
  await using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => over.promise })
  const at = `http://hooks.example:${server.port}/`
  const late = 'no answer in time'
  expect((await send(at, { reach: 'any', ms: 100 })).error).toBe(late)
  expect((await send(at, { reach: 'any', ms: 100, resolve: () => new Promise(() => {}) })).error).toBe(late)
  over.resolve(new Response())
  expect((await send('http://hooks.example:1/', { reach: 'any' })).error).toBe('the connection failed')
})
