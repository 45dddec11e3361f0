import { afterEach, describe, expect, test } from 'bun:test'
import { created, expectError } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { openRaw } from '../../support/http.ts'
import { type EventSource, openEventSource } from '../../support/live/event-source.ts'
import { inParallel } from '../../support/parallel.ts'
import { behindProxy, fromNewAddress, signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const service = await useService({ ...behindProxy, STREAMS_PER_ADDRESS: '2' })
const poster = await signUpPoster(service)
const path = (query = '') => `/api/deployments/live?user=${poster.username}${query}`

let sources: EventSource[] = []
afterEach(async () => {
  for (const source of sources) source.close()
  sources = []
  await eventually('no stream is open', () => service.streams.count === 0 && service.feed.watcherCount === 0)
})

async function listen(query = '', headers: Record<string, string> = {}): Promise<EventSource> {
  const source = await openEventSource(service, path(query), headers)
  expect(source.response.status).toBe(200)
  sources.push(source)
  return source
}

/** Announces that many, and gives their ids in the order of the log. */
async function announce(count: number, message = 'One of many'): Promise<number[]> {
  const records = await inParallel(Array.from({ length: count }), 16, async () =>
    created(await poster.announce({ message })),
  )
  return records.map(({ id }) => id).toSorted((a, b) => a - b)
}

function idsOf({ messages }: EventSource): number[] {
  return messages.filter(({ event }) => event === 'deployment').map(({ id }) => Number(id))
}

test('sends deployments and withdrawals as JSON, in the records of the list', async () => {
  const source = await listen()
  const { id } = await created(await poster.announce({ message: 'fix: "it"\nnow' }))
  const announced = await source.find(({ event }) => event === 'deployment')
  const { deployments } = (await (
    await service.fetch(`/api/deployments?user=${poster.username}`)
  ).json()) as {
    deployments: unknown[]
  }
  expect(JSON.parse(announced.data ?? '')).toEqual(deployments[0])
  expect(announced.id).toBe(String(id))
  await poster.send(`/${poster.username}/${id}/delete`, {})
  const withdrawn = await source.find(({ event }) => event === 'withdrawn')
  expect(JSON.parse(withdrawn.data ?? '')).toEqual({ id })
  expect(source.response.headers.get('access-control-allow-origin')).toBe('*')
})

describe('a client that comes back', () => {
  test('gets everything since, however much it was, once and in order, and goes on live', async () => {
    const missed = await announce(330)
    const after = (missed[0] ?? 0) - 1
    for (const [query, headers] of [
      [`&after=${after}`, {}],
      ['&after=1', { 'Last-Event-ID': String(after) }],
    ] as const) {
      const source = await listen(query, headers)
      const later = await announce(20)
      await eventually('all have come', () => idsOf(source).includes(later.at(-1) ?? 0))
      expect(idsOf(source).filter((id) => missed.includes(id))).toEqual(missed)
      expect(idsOf(source).filter((id) => later.includes(id))).toEqual(later)
      expect(source.messages.filter(({ data }) => data?.includes('gap'))).toEqual([])
    }
  })

  test('from an id beyond the end goes on from the end', async () => {
    const source = await listen('&after=999999999999')
    const [id] = await announce(1)
    await source.find(({ event }) => event === 'deployment')
    expect(idsOf(source)).toEqual([id ?? 0])
  })

  test('and stops reading at times is sent no more than it reads, and misses nothing', async () => {
    // Each is 24 KB as JSON: far more in all than the buffers between us hold.
    const large = `x${'\u0001'.repeat(4_000)}`
    const missed = await announce(400, large)
    const head = ['Host: shipfeed.test', 'Accept: text/event-stream', 'X-Forwarded-For: 10.9.9.9', '', '']
    const reader = openRaw(service.url, [`GET ${path(`&after=${(missed[0] ?? 0) - 1}`)} HTTP/1.1`, ...head])
    const has = (id: number | undefined) => reader.text().includes(`id: ${id}\n`)
    await eventually('it has begun', () => has(missed[0]))
    reader.socket.pause()
    await Bun.sleep(300)
    reader.socket.resume()
    await eventually(
      'all that was missed has come',
      () => has(missed.at(-1)) && service.feed.watcherCount === 1,
    )
    reader.socket.pause()
    const live = await announce(900, large)
    reader.socket.resume()
    await eventually('the last has come', () => has(live.at(-1)))
    const ids = [...reader.text().matchAll(/event: deployment\nid: (\d+)\n/g)].map(([, id]) => Number(id))
    reader.socket.destroy()
    expect(ids).toEqual([...missed, ...live])
  })
})

test('beyond the streams of an address it is 429 in JSON, with when to come back', async () => {
  const address = fromNewAddress()
  await Promise.all([listen('', address), listen('', address)])
  const refused = await service.fetch(path(), { headers: address })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  await expectError(refused, 429, 'rate_limited')
})

test('a filter that does not work is refused before the stream begins', async () => {
  await expectError(await service.fetch('/api/deployments/live?target=github.com'), 400, 'bad_request')
})

describe('with q', () => {
  test('sends what matches the search, of the past and of what is announced, and every withdrawal', async () => {
    const word = `walnut${poster.username.replaceAll('-', '')}`
    const [first = 0] = await announce(1, `Found ${word}`)
    await announce(3, 'Something else')
    const address = `/api/deployments/live?q=${word}+@${poster.username}`
    const source = await openEventSource(service, `${address}&after=${first - 1}`)
    sources.push(source)
    const [second = 0] = await announce(1, `Found ${word} again`)
    await eventually('both have come', () => idsOf(source).includes(second))
    expect(idsOf(source)).toEqual([first, second])
    await poster.send(`/${poster.username}/${second}/delete`, {})
    await source.find(({ event }) => event === 'withdrawn')
  })

  test.each([
    ['?q=fix&user=ada', 400],
    ['?q=@nobody-by-this-name', 404],
  ])('%s is %p', async (query, status) => {
    expect((await service.fetch(`/api/deployments/live${query}`)).status).toBe(status)
  })
})
