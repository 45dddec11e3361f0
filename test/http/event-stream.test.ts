import { afterEach, describe, expect, jest, setSystemTime, test } from 'bun:test'
import type { EventStream } from '../../src/http/event-stream.ts'
import { frame, opening } from '../../src/http/event-stream.ts'
import { type EventStreams, eventStreams } from '../../src/http/event-streams.ts'
import { eventually, patience } from '../support/eventually.ts'
import { type Message, messageParser } from '../support/live/event-source.ts'

const unlimited = { perAddress: Number.POSITIVE_INFINITY, total: Number.POSITIVE_INFINITY }
const never = { ...unlimited, heartbeatMs: 60_000, lifeMs: 60_000 }
const reader = { address: '192.0.2.1', request: new Request('http://localhost'), server: null }
const bytes = new TextEncoder().encode('data: x\n\n')

let streams: EventStreams
afterEach(() => streams?.close())

function open() {
  let ends = 0
  const stream = streams.open(reader)
  if (stream === null) throw new Error('no place')
  stream.owner = {
    onEnd() {
      ends += 1
    },
  }
  return { stream, body: stream.body, ends: () => ends }
}

function parsed(frames: readonly Uint8Array[]): Message[] {
  const messages: Message[] = []
  const parse = messageParser((message) => messages.push(message))
  for (const one of frames) parse(new TextDecoder().decode(one))
  return messages
}

describe('a frame', () => {
  test.each(['a\nb', 'a\rb', 'a\r\nb', '\n\nevent: x\nid: 9\n\n', '\r\rdata: x', '', '\n', 'a\u2028b'])(
    'with the data %j is one message',
    (data) => {
      const messages = parsed([frame({ id: 5, data }), frame({ event: 'resumed', data: '' })])
      expect(messages).toEqual([
        { comment: null, event: null, id: '5', retry: null, data: data.replace(/\r\n?/g, '\n') },
        { comment: null, event: 'resumed', id: null, retry: null, data: '' },
      ])
    },
  )

  test('that opens has an id and a time to wait, and nothing to show', () => {
    for (let n = 0; n < 200; n += 1) {
      const [message] = parsed([opening(7)])
      expect(message).toMatchObject({ id: '7', data: null, event: 'opening' })
      expect(Number(message?.retry)).toBeWithin(3_000, 8_001)
    }
  })
})

describe('a stream', () => {
  test('passes the very bytes on, then says goodbye and ends, once', async () => {
    streams = eventStreams(never)
    const { body, stream, ends } = open()
    stream.send(bytes)
    stream.close()
    stream.close()
    stream.send(bytes)
    expect(await new Response(body).text()).toMatch(
      /^data: x\n\n: goodbye\nevent: goodbye\nretry: [3-7]\d{3}\n\n$/,
    )
    expect(ends()).toBe(1)
    expect(streams.count).toBe(0)
  })

  test('ends once when its reader leaves', async () => {
    streams = eventStreams(never)
    const { body, stream, ends } = open()
    await body.cancel()
    stream.send(bytes)
    stream.close()
    expect(ends()).toBe(1)
    expect(streams.count).toBe(0)
  })

  test('that is not read holds 256 messages, and is dropped at the next one', () => {
    streams = eventStreams(never)
    const { stream, ends } = open()
    const other = open()
    for (let n = 0; n < 256; n += 1) stream.send(bytes)
    expect(ends()).toBe(0)
    stream.send(bytes)
    expect(ends()).toBe(1)
    expect(other.ends()).toBe(0)
    expect(streams.count).toBe(1)
  })

  test('opened after the goodbye gets its own', async () => {
    streams = eventStreams(never)
    streams.close()
    expect(await new Response(open().body).text()).toStartWith(': goodbye\n')
    expect(streams.count).toBe(0)
  })
})

describe('a goodbye to all', () => {
  const crowd = 600

  function gather() {
    streams = eventStreams(never)
    const from = (address: string) =>
      Array.from({ length: crowd / 2 }, () => streams.open({ ...reader, address }))
    return { of: ['192.0.2.1', '192.0.2.2'].map(from) as EventStream[][] }
  }

  test('ends them evenly over the time, no address before another, and new ones at once', async () => {
    const { of } = gather()
    const begin = performance.now()
    // As they end, because a slow machine may look only when all have ended.
    const ends: { readonly address: number; readonly atMs: number }[] = []
    for (const [address, ofAddress] of of.entries())
      for (const stream of ofAddress)
        stream.owner = { onEnd: () => ends.push({ address, atMs: performance.now() - begin }) }
    const ended = streams.close(500)
    expect(streams.count).toBeGreaterThan(crowd * 0.8)
    expect(await new Response(open().body).text()).toStartWith(': goodbye\n')
    await ended
    expect(ends.length).toBe(crowd)
    const half = ends.slice(0, crowd / 2)
    expect(half.at(-1)?.atMs).toBeWithin(150, patience(2_500))
    const ofOne = half.filter(({ address }) => address === 0).length
    expect(Math.min(ofOne, half.length - ofOne)).toBeGreaterThan(half.length / 4)
    expect(streams.count).toBe(0)
    expect(performance.now() - begin).toBeWithin(450, patience(5_000))
  })

  test('asks readers that it ends later to stay away for longer, so that they return evenly', async () => {
    const { of } = gather()
    const begin = performance.now()
    const returns = of.flat().map(async ({ body }) => {
      const [message] = parsed([new TextEncoder().encode(await new Response(body).text())])
      return performance.now() - begin + Number(message?.retry)
    })
    await streams.close(500)
    const shares = (await Promise.all(returns)).map((at) => (at - 3_000) / 5_500)
    const parts = Array.from(
      { length: 10 },
      (_, n) => shares.filter((at) => Math.floor(at * 10) === n).length,
    )
    // A tenth in each tenth of the time.
    expect(Math.max(...parts)).toBeLessThan((crowd / 10) * 2)
  })

  test('of a few is over in a moment', async () => {
    streams = eventStreams(never)
    for (let n = 0; n < 20; n += 1) open()
    const begin = performance.now()
    await streams.close(60_000)
    expect(performance.now() - begin).toBeLessThan(patience(1_000))
  })
})

describe('a place', () => {
  const other = { ...reader, address: '192.0.2.2' }

  test('is one of its address, and one of all', () => {
    streams = eventStreams({ ...never, perAddress: 2, total: 3 })
    const opened = [reader, reader, reader, other, other].map((one) => streams.open(one) !== null)
    expect(opened).toEqual([true, true, false, true, false])
    expect(streams.isFull).toBeTrue()
  })

  test.each([
    ['its reader leaves', async (stream: EventStream) => stream.body.cancel()],
    ['we close it', async (stream: EventStream) => stream.close()],
    [
      'its reader is too slow',
      async (stream: EventStream) => {
        for (let n = 0; n <= 256; n += 1) stream.send(bytes)
      },
    ],
  ])('is free again, exactly once, when %s, even if its owner throws', async (_, end) => {
    streams = eventStreams({ ...never, perAddress: 1, total: 2 })
    const stream = streams.open(reader)
    if (stream === null) throw new Error('no place')
    stream.owner = {
      onEnd() {
        throw new Error('of the owner')
      },
    }
    await end(stream).catch(() => {})
    stream.close()
    expect(streams.count).toBe(0)
    expect([reader, reader, other].map((one) => streams.open(one) !== null)).toEqual([true, false, true])
  })
})

describe('the heart of the streams', () => {
  test('beats in each', async () => {
    streams = eventStreams({ ...never, heartbeatMs: 10 })
    const readers = [open(), open()].map(({ body }) => body.getReader())
    for (let n = 0; n < 5; n += 1) {
      for (const { value } of await Promise.all(readers.map((reader) => reader.read()))) {
        // Nothing to show, and no id: it must not move the reader's place in the feed.
        const [beat, ...others] = parsed([value ?? new Uint8Array()])
        expect(beat).toMatchObject({ comment: 'still here', id: null, data: '', retry: null })
        expect(others).toEqual([])
      }
    }
    expect(streams.count).toBe(2)
  })

  test('is one timer, however many are open, and none after the goodbye', () => {
    jest.useFakeTimers()
    try {
      streams = eventStreams(never)
      for (let n = 0; n < 3; n += 1) open()
      expect(jest.getTimerCount()).toBe(1)
      streams.close()
      expect(jest.getTimerCount()).toBe(0)
    } finally {
      jest.useRealTimers()
    }
  })

  test('lets a reader go that does not read for some beats', async () => {
    streams = eventStreams({ ...never, heartbeatMs: 10 })
    const stalled = open()
    const reader = open().body.getReader()
    const reading = (async () => {
      while (!(await reader.read()).done);
    })()
    await eventually('the one is let go', () => stalled.ends() === 1)
    expect(streams.count).toBe(1)
    streams.close()
    await reading
  })

  test('ends no stream because the clock of the machine was set', async () => {
    streams = eventStreams({ ...never, heartbeatMs: 10 })
    const { body } = open()
    setSystemTime(Date.now() + 24 * 60 * 60 * 1_000)
    try {
      expect((await body.getReader().read()).done).toBeFalse()
      expect(streams.count).toBe(1)
    } finally {
      setSystemTime()
    }
  })

  test('ends every stream when its life is over, not all at once', async () => {
    streams = eventStreams({ ...unlimited, heartbeatMs: 5, lifeMs: 2_000 })
    const begin = performance.now()
    const lives = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { body } = open()
        expect(await new Response(body).text()).toContain(': goodbye\n')
        return performance.now() - begin
      }),
    )
    expect(Math.min(...lives)).toBeGreaterThan(1_600)
    expect(new Set(lives.map((life) => Math.round(life / 5))).size).toBeGreaterThan(1)
    expect(streams.count).toBe(0)
  })
})
