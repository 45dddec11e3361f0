import { describe, expect, test } from 'bun:test'
import type { Server } from 'bun'
import { clientAddressReader } from '../../src/http/client-address.ts'

/** The subject of a request over a socket from `peer`. */
function subjectOf(trusted: string[], peer: string, forwarded?: string): string {
  const headers: Record<string, string> = forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }
  const request = new Request('http://shipfeed.test/', { headers })
  const server = { requestIP: () => ({ address: peer, port: 1, family: 'IPv4' }) }
  return clientAddressReader(trusted)(request, server as unknown as Server<unknown>)
}

describe('X-Forwarded-For', () => {
  test.each([
    ['is not believed where no proxy is trusted', [], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['is not believed from who is no proxy', ['10.0.0.1'], '192.0.2.1', '203.0.113.9', '192.0.2.1'],
    ['is believed from a proxy', ['10.0.0.1'], '10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['is believed from a range', ['10.0.0.0/8'], '10.255.0.1', '203.0.113.9', '203.0.113.9'],
    ['is not believed from just outside the range', ['10.0.0.0/8'], '11.0.0.1', '203.0.113.9', '11.0.0.1'],
    ['counts from the right', ['10.0.0.1'], '10.0.0.1', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
    ['passes over proxies', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 203.0.113.9, 10.0.0.2', '203.0.113.9'],
    [
      'stops at the first address that is no proxy',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '10.0.0.3, 8.8.8.8, 10.0.0.2',
      '8.8.8.8',
    ],
    [
      'of proxies alone is the one farthest away',
      ['10.0.0.0/8'],
      '10.0.0.1',
      '10.0.0.9, 10.0.0.2',
      '10.0.0.9',
    ],
    ['that is absent is the proxy itself', ['10.0.0.1'], '10.0.0.1', undefined, '10.0.0.1'],
    ['that is empty is the proxy itself', ['10.0.0.1'], '10.0.0.1', ' , ,', '10.0.0.1'],
    ['that is no address is the proxy itself', ['10.0.0.1'], '10.0.0.1', 'unknown', '10.0.0.1'],
    ['never passes over what is no address', ['10.0.0.1'], '10.0.0.1', '1.1.1.1, <script>', '10.0.0.1'],
    ['may name the port of IPv4', ['10.0.0.1'], '10.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['may have IPv6 in brackets', ['10.0.0.1'], '10.0.0.1', '[2001:db8::1]', '2001:db8:0:0::/64'],
    ['may name the port of IPv6', ['10.0.0.1'], '10.0.0.1', '[2001:db8::1]:443', '2001:db8:0:0::/64'],
    ['may have mapped IPv4 with a port', ['10.0.0.1'], '10.0.0.1', '[::ffff:192.0.2.7]:1', '192.0.2.7'],
    ['passes over proxies with ports', ['10.0.0.1'], '10.0.0.1', '203.0.113.7:1, 10.0.0.1:2', '203.0.113.7'],
    ['never reads a name with a port', ['10.0.0.1'], '10.0.0.1', '1.1.1.1, host:80', '10.0.0.1'],
    ['never reads half a bracket', ['10.0.0.1'], '10.0.0.1', '[2001:db8::1', '10.0.0.1'],
    ['is trimmed', ['10.0.0.1'], '10.0.0.1', '  203.0.113.9  ', '203.0.113.9'],
    ['may come over IPv6', ['::1'], '::1', '203.0.113.9', '203.0.113.9'],
    ['may come over a range of IPv6', ['fd00::/8'], 'fd12:3456::1', '203.0.113.9', '203.0.113.9'],
    ['may come over IPv4 that shows as IPv6', ['10.0.0.1'], '::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['may hold IPv4 that shows as IPv6', ['10.0.0.1'], '10.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
  ] as const)('%s', (_, trusted, peer, forwarded, expected) => {
    expect(subjectOf([...trusted], peer, forwarded)).toBe(expected)
  })
})

describe('an IPv6 client is its /64', () => {
  test.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::2:3:4:5:6', '2001:db8:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('%s counts as %s', (address, subject) => {
    expect(subjectOf([], address)).toBe(subject)
  })

  test('an IPv4 client that shows as IPv6 is the IPv4 one', () => {
    expect(subjectOf([], '::ffff:192.0.2.1')).toBe('192.0.2.1')
  })
})

test('anything but an address is logged once a minute, and an address never', () => {
  const lines: unknown[] = []
  const server = { requestIP: () => ({ address: '10.0.0.1', port: 1, family: 'IPv4' }) }
  const read = clientAddressReader(['10.0.0.1'], (event, facts) => lines.push([event, facts]))
  const ask = (forwarded: string) =>
    read(
      new Request('http://shipfeed.test/', { headers: { 'X-Forwarded-For': forwarded } }),
      server as unknown as Server<unknown>,
    )
  for (const forwarded of ['203.0.113.7:1', '[::1]:2', '10.0.0.1', 'unknown, 203.0.113.7', '']) ask(forwarded)
  expect(lines).toEqual([])
  for (const forwarded of ['unknown', '203.0.113.7, nobody:1']) ask(forwarded)
  expect(lines).toEqual([
    ['client_unreadable', { message: expect.stringContaining('X-Forwarded-For from 10.0.0.1') }],
  ])
})

test('requests without a socket count as one subject', () => {
  expect(clientAddressReader([])(new Request('http://shipfeed.test/'), null)).toBe('')
})
