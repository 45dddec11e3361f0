import { afterEach, describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import type { Db } from '../../../src/database/db.ts'
import { runBy } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { openRawStream } from '../../support/http.ts'
import type { EventSource } from '../../support/live/event-source.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { behindProxy, fromNewAddress, signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

type Headers = Record<string, string>

let sources: EventSource[] = []
const service = await useService({ ...behindProxy, STREAMS_PER_ADDRESS: '2', STREAMS_MAX: '5' })
const poster = await signUpPoster(service)
afterEach(async () => {
  for (const source of sources) source.close()
  sources = []
  await eventually('no stream is open', () => service.streams.count === 0)
})

async function listen(headers: Headers): Promise<EventSource> {
  const source = await openEventSource(service, '/feed/live', headers)
  expect(source.response.status).toBe(200)
  expect(source.response.headers.get('content-type')).toStartWith('text/event-stream')
  sources.push(source)
  return source
}

/** The answer to one who wants a stream and nothing else. */
async function ask(headers: Headers): Promise<Response> {
  return await service.fetch('/feed/live', { headers: { Accept: 'text/event-stream', ...headers } })
}

/**
 * 429 if the address has too many streams; 503, for which a proxy may take a server out, if nobody gets one.
 */
async function expectNoPlace(response: Response, status = 429): Promise<void> {
  expect(response.status).toBe(status)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(response.headers.get('content-type')).not.toContain('event-stream')
  await response.text()
}

describe('beyond the streams of an address', () => {
  test('an EventSource hears that it is to come back later', async () => {
    const address = fromNewAddress()
    await Promise.all([listen(address), listen(address)])
    await expectNoPlace(await ask(address))
    await expectNoPlace(await ask({ ...address, Accept: '*/*' }))
  })

  test('htmx gets markup at first, so that it polls; and 429 when it lost a stream', async () => {
    const address = { ...fromNewAddress(), Accept: 'text/html, text/event-stream' }
    await Promise.all([listen(address), listen(address)])
    const id = await poster.announced({ message: 'Polled' })
    const polled = await service.fetch(`/feed/live?after=${id - 1}`, { headers: address })
    expect(polled.status).toBe(200)
    expect(polled.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await polled.text()).toContain(`id="deployment-${id}"`)
    expect((await service.fetch(`/feed/live?after=${id}`, { headers: address })).status).toBe(204)
    await expectNoPlace(await ask({ ...address, 'Last-Event-ID': String(id) }))
  })

  test('polling alone takes no place', async () => {
    const address = fromNewAddress()
    for (let n = 0; n < 5; n += 1) {
      await (await ask({ ...address, Accept: 'text/html' })).text()
    }
    await Promise.all([listen(address), listen(address)])
  })

  test('polls count by themselves: 30 may be under way, and no more', async () => {
    const gate = Promise.withResolvers<void>()
    const run: Db['write'] = async (work) => {
      await gate.promise
      return service.db.write(work)
    }
    const slow = await startService(behindProxy, runBy(run, service.db))
    const headers = { ...fromNewAddress(), Accept: 'text/html' }
    const poll = () => slow.fetch('/feed/live?after=0', { headers })
    const underWay = Array.from({ length: 30 }, poll)
    await eventually('all are under way', () => slow.pendingRequests() === 30)
    await expectNoPlace(await poll())
    gate.resolve()
    expect((await Promise.all(underWay)).filter(({ status }) => status === 429)).toEqual([])
    expect((await poll()).status).not.toBe(429)
    await slow.close()
  })

  test('another address has its own', async () => {
    const address = fromNewAddress()
    await Promise.all([listen(address), listen(address), listen(fromNewAddress())])
  })

  test('a request that is refused for its filter takes no place', async () => {
    const address = fromNewAddress()
    for (let n = 0; n < 3; n += 1) {
      const headers = { ...address, Accept: 'text/event-stream' }
      expect((await service.fetch('/feed/live?category=none', { headers })).status).toBe(400)
    }
    await Promise.all([listen(address), listen(address)])
  })
})

describe('an address', () => {
  test.each([
    ['is the last one that no proxy of ours named', '198.51.100.1', '1.2.3.4, 198.51.100.1'],
    ['of IPv6 is its /64', '2001:db8:1:2::1', '2001:0db8:1:2:ffff::9'],
    ['of IPv4 may show as IPv6', '198.51.100.2', '::ffff:198.51.100.2'],
  ])('%s', async (_, one, same) => {
    await Promise.all([listen({ 'X-Forwarded-For': one }), listen({ 'X-Forwarded-For': same })])
    await expectNoPlace(await ask({ 'X-Forwarded-For': one }))
    await expectNoPlace(await ask({ 'X-Forwarded-For': same }))
  })

  test('of IPv6 in the next /64 is another', async () => {
    const addresses = ['2001:db8:1:3::1', '2001:db8:1:3::2', '2001:db8:1:4::1']
    await Promise.all(addresses.map((address) => listen({ 'X-Forwarded-For': address })))
  })

  test('that a stranger claims is not believed', async () => {
    await using strict = await startService({ STREAMS_PER_ADDRESS: '1' })
    const first = await openEventSource(strict, '/feed/live', { 'X-Forwarded-For': '198.51.100.8' })
    const headers = { Accept: 'text/event-stream', 'X-Forwarded-For': '198.51.100.9' }
    await expectNoPlace(await strict.fetch('/feed/live', { headers }))
    first.close()
  })
})

test('beyond the streams of the process no address gets one', async () => {
  await Promise.all(Array.from({ length: 5 }, () => listen(fromNewAddress())))
  await expectNoPlace(await ask(fromNewAddress()), 503)
  expect((await ask({ ...fromNewAddress(), Accept: 'text/html, text/event-stream' })).status).toBe(204)
})

describe('a place is free again', () => {
  test('when the reader closes its stream', async () => {
    const address = fromNewAddress()
    const [first] = await Promise.all([listen(address), listen(address)])
    await expectNoPlace(await ask(address))
    first.close()
    await eventually('there is a place', () => service.streams.count === 1)
    await listen(address)
  })

  test.each([
    ['FIN', (socket: Socket) => socket.end()],
    ['RST', (socket: Socket) => socket.resetAndDestroy()],
  ])('when the connection ends by %s', async (_, end) => {
    const streams = await Promise.all([openRawStream(service.url), openRawStream(service.url)])
    await expectNoPlace(await ask({}))
    for (const { socket } of streams) end(socket)
    await eventually('there is a place', () => service.streams.count === 0)
    await listen({})
    await listen({})
  })

  test('however often it is taken and left', async () => {
    const address = fromNewAddress()
    for (let n = 0; n < 30; n += 1) {
      const source = await listen(address)
      source.close()
      await eventually('it is gone', () => service.streams.count === 0)
    }
    await Promise.all([listen(address), listen(address)])
    await expectNoPlace(await ask(address))
  })
})
