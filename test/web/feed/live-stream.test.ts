import { afterEach, describe, expect, test } from 'bun:test'
import type { EventSource } from '../../support/live/event-source.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { lettersIn, lettersListed, listedIn, textOf } from '../../support/markup.ts'
import type { Poster } from '../../support/people.ts'
import { signUpPoster } from '../../support/people.ts'
import { useService } from '../../support/service.ts'

const open: EventSource[] = []
const service = await useService()
const ada = await signUpPoster(service, { name: 'Ada <b>' })
const grace = await signUpPoster(service)
afterEach(() => {
  for (const source of open.splice(0)) source.close()
})

async function listen(path = '/feed/live', headers: Record<string, string> = {}): Promise<EventSource> {
  const source = await openEventSource(service, path, headers)
  open.push(source)
  return source
}

async function announce(poster: Poster, fields: Record<string, unknown> = {}): Promise<number> {
  return await poster.announced({ message: 'Live', ...fields })
}

/** Waits for an event; gives the ids of all that came, the opening left out. */
async function idsUntil(source: EventSource, last: number): Promise<(number | null)[]> {
  await source.find(({ id, data }) => id === String(last) && data !== null)
  return source.messages
    .filter(({ data }) => data !== null)
    .map(({ id }) => (id === null ? null : Number(id)))
}

test('an event stream has its type, and forbids caching, sniffing and buffering', async () => {
  const { response, find } = await listen()
  expect(response.status).toBe(200)
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  expect(headers).not.toHaveProperty('content-encoding')
  expect(headers).not.toHaveProperty('content-length')
  expect(response.headers.getSetCookie()).toEqual([])
  await find(({ id }) => id !== null)
})

test('the opening says where the stream begins, and a random time to come back after', async () => {
  const last = await announce(ada)
  const sources = await Promise.all(Array.from({ length: 12 }, () => listen()))
  const openings = await Promise.all(sources.map(({ find }) => find(() => true)))
  for (const { id, retry, data } of openings) {
    expect(Number(id)).toBeGreaterThanOrEqual(last)
    expect(data).toBeNull()
    expect(Number(retry)).toBeGreaterThanOrEqual(3_000)
    expect(Number(retry)).toBeLessThanOrEqual(8_000)
  }
  expect(new Set(openings.map(({ retry }) => retry)).size).toBeGreaterThan(1)
})

describe('a message stays one event, and shows as it was written:', () => {
  test.each([
    ['line feeds', 'one\ntwo\n\nthree'],
    ['carriage returns', 'one\rtwo\r\rthree'],
    ['both', 'one\r\ntwo\r\n\r\nthree\n\r'],
    ['line separators of Unicode', 'one\u2028two\u2029three'],
    ['an event of its own', 'x\n\nevent: interrupted\ndata: y\n\n'],
    ['fields of a stream', 'data: x\nid: 1\nretry: 1\nevent: resumed\n: comment'],
    ['fields after carriage returns', 'x\r\rid: 999999\rdata: <li>y</li>\r\r'],
    ['markup', '</li></ol><script>alert(1)</script><li id="deployment-1" hx-swap-oob="delete">'],
    ['emoji', '👩🏽‍💻 ship it 🚀'],
  ])('%s', async (_, message) => {
    const source = await listen()
    const id = await announce(ada, { message })
    const after = await announce(ada)
    expect(await idsUntil(source, after)).toEqual([id, after])
    const event = await source.find((one) => one.id === String(id) && one.data !== null)
    expect(event.event).toBeNull()
    expect(source.messages.filter(({ retry }) => retry !== null)).toHaveLength(1)
    const html = event.data ?? ''
    expect(html.match(/<li/g)).toHaveLength(1)
    expect(html).toStartWith(`<li class="entry" id="deployment-${id}"`)
    expect(lettersIn(listedIn(html))).toBe(lettersListed(message))
    expect(textOf(html, '.meta > .quiet')).toBe('Ada <b>')
  })
})

test('all watchers get the same bytes, however many announce at once', async () => {
  const sources = await Promise.all(Array.from({ length: 4 }, () => listen()))
  const ids = await Promise.all(Array.from({ length: 40 }, () => announce(grace, { message: 'Same\nbytes' })))
  const sorted = ids.toSorted((a, b) => a - b)
  const last = sorted.at(-1) ?? 0
  for (const source of sources) expect(await idsUntil(source, last)).toEqual(sorted)
  const heartbeat = ': still here\nevent: heartbeat\ndata: \n\n'
  const texts = sources.map((source) =>
    source
      .raw()
      .slice(source.raw().indexOf('\n\n') + 2)
      .replaceAll(heartbeat, ''),
  )
  expect(new Set(texts).size).toBe(1)
})

test('what is withdrawn is taken out of every part', async () => {
  const id = await announce(ada, { message: 'fix: gone soon' })
  const sources = await Promise.all(
    ['', `?user=${grace.username}`, '?category=feature'].map((query) => listen(`/feed/live${query}`)),
  )
  expect((await ada.send(`/${ada.username}/${id}/delete`, {})).status).toBe(303)
  for (const source of sources) {
    const { data, id: eventId } = await source.find((one) => one.data !== null)
    expect(data).toBe(`<li id="deployment-${id}" hx-swap-oob="delete"></li>`)
    expect(Number(eventId)).toBeGreaterThan(id)
  }
})

describe('a part of the feed', () => {
  test.each([
    ['user', () => `user=${grace.username}`],
    ['user, whatever its case', () => `user=${grace.username.toUpperCase()}`],
    ['category', () => 'category=bug_fix'],
    ['target', () => `user=${grace.username}&target=sub.example.com/engine`],
    [
      'target as it was pasted',
      () => `user=${grace.username}&target=https%3A%2F%2Fwww.SUB.example.com%3A8080%2Fengine%2F-%2Fjobs%2F1`,
    ],
    ['all of them', () => `user=${grace.username}&category=bug_fix&target=example.com`],
  ])('by %s holds the same on the stream as after coming back', async (_, query) => {
    const path = `/feed/live?${query()}`
    const everything = await listen()
    const part = await listen(path)
    const { id: start } = await part.find(() => true)
    await announce(ada, { message: 'feat: another', url: 'https://example.org/engine' })
    await announce(ada, { message: 'feat: near', url: 'https://sub.example.com/engines' })
    const due = await announce(grace, { message: 'fix: this', url: 'https://sub.example.com/engine/-/x' })
    const withdrawn = await announce(ada)
    await ada.send(`/${ada.username}/${withdrawn}/delete`, {})
    const { id: end } = await everything.find(
      ({ data }) => data?.includes(`"deployment-${withdrawn}" hx-swap-oob`) ?? false,
    )
    expect(await idsUntil(part, Number(end))).toEqual([due, Number(end)])
    const back = await listen(path, { 'Last-Event-ID': start ?? '' })
    expect(await idsUntil(back, Number(end))).toEqual([due, Number(end)])
  })

  test.each([
    [404, 'user=nobody-of-this-name'],
    [404, 'user=not%20a%20name'],
    [404, 'user=%00'],
    [400, 'category=fix'],
    [400, 'target=%20%2F'],
    [400, 'target=example.com'],
    [400, 'target=example.com&category=feature'],
  ])('is refused with %d if it cannot exist: %s', async (status, query) => {
    for (const headers of [{}, { 'Last-Event-ID': '1' }, { Accept: 'text/html' }]) {
      const response = await service.fetch(`/feed/live?${query}`, { headers })
      expect(response.status).toBe(status)
      await response.text()
    }
  })

  test('that is empty is everything', async () => {
    const source = await listen('/feed/live?user=&category=&target=')
    const id = await announce(ada)
    expect(await idsUntil(source, id)).toEqual([id])
  })
})
