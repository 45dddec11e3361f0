import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import type { Socket } from 'node:net'
import { runBy } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { openRawStream } from '../../support/http.ts'
import type { EventSource } from '../../support/live/event-source.ts'
import { openEventSource } from '../../support/live/event-source.ts'
import { inParallel } from '../../support/parallel.ts'
import { signUpPoster } from '../../support/people.ts'
import { startService, useService } from '../../support/service.ts'

const service = await useService({ STREAMS_PER_ADDRESS: '1000' })
const poster = await signUpPoster(service)

/** Nobody is left: no stream, no watcher, no connection that waits for the rest of its answer. */
async function expectNobody(): Promise<void> {
  const left = () => [service.streams.count, service.feed.watcherCount, service.pendingRequests()]
  await eventually('nobody is left', () => left().every((count) => count === 0))
}

/** What a reader may hold. A signal is what would have a listener. */
const heldByReaders = ['BunRequest', 'Response', 'ReadableStream', 'AbortSignal', 'Timeout']

/** How many of these the heap has, of the whole process: nobody else counts timers and listeners. */
function countHeld(): number {
  Bun.gc(true)
  const { objectTypeCounts: counts } = heapStats()
  return heldByReaders.reduce((sum, type) => sum + (counts[type] ?? 0), 0)
}

/** The same, once what was there before is gone: of the tests and files before this one. */
async function countSettled(): Promise<number> {
  let count = countHeld()
  await eventually('the heap rests', async () => {
    await Bun.sleep(50)
    const before = count
    count = countHeld()
    return count === before
  })
  return count
}

describe('nothing is left of clients that', () => {
  test.each([
    ['close their connection (FIN)', (socket: Socket) => socket.end()],
    ['reset it (RST)', (socket: Socket) => socket.resetAndDestroy()],
  ])('%s', async (_, end) => {
    const before = await countSettled()
    const streams = await Promise.all(Array.from({ length: 50 }, () => openRawStream(service.url)))
    expect(service.streams.count).toBe(50)
    expect(service.feed.watcherCount).toBe(50)
    expect(countHeld() - before).toBeGreaterThan(50)
    for (const { socket } of streams) end(socket)
    await expectNobody()
    // Some may belong to the clients that come next; one for each of the 50 is too many.
    await eventually('nothing of them is on the heap', () => countHeld() - before < 25)
  })

  test('leave before they are answered', async () => {
    for (let n = 0; n < 40; n += 1) {
      const aborter = new AbortController()
      const asked = service.fetch('/feed/live?after=0', { signal: aborter.signal }).catch(() => null)
      await Bun.sleep(n / 8)
      aborter.abort()
      await asked
    }
    await expectNobody()
  })

  test('leave while the feed is being read for them', async () => {
    const { promise: reading, resolve: goOn } = Promise.withResolvers<void>()
    const { db } = service
    await using slow = await startService(
      {},
      runBy((work) => reading.then(() => db.write(work)), db),
    )
    const aborter = new AbortController()
    const asked = slow.fetch('/feed/live?after=0', { signal: aborter.signal }).catch(() => null)
    await eventually('it is being read', () => slow.feed.watcherCount === 1)
    aborter.abort()
    await asked
    goOn()
    await eventually('it is gone', () => slow.streams.count === 0 && slow.feed.watcherCount === 0)
  })

  test('want the head alone', async () => {
    for (let n = 0; n < 5; n += 1) {
      const response = await service.fetch('/feed/live', { method: 'HEAD' })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    }
    await expectNobody()
  })

  test('get a goodbye', async () => {
    await using own = await startService()
    const sources = await Promise.all(Array.from({ length: 10 }, () => openEventSource(own, '/feed/live')))
    own.streams.close()
    await Promise.all(sources.map(({ ended }) => ended))
    for (const { messages } of sources) expect(messages.at(-1)?.comment).toBe('goodbye')
    const left = () => [own.streams.count, own.feed.watcherCount, own.pendingRequests()]
    await eventually('nobody is left', () => left().every((count) => count === 0))
  })
})

test('a reader that does not read is dropped with its connection, and no one else notices', async () => {
  const reader = await openEventSource(service, '/feed/live')
  const { socket } = await openRawStream(service.url)
  socket.pause()
  // The kernel takes some megabytes before anything waits with us.
  const message = '"'.repeat(4_000)
  const before = process.memoryUsage.rss()
  const ids: number[] = []
  while (service.streams.count === 2 && ids.length < 3_000) ids.push(...(await announceMany(message, 50)))
  expect(service.streams.count).toBe(1)
  expect(service.feed.watcherCount).toBe(1)
  const last = Math.max(...ids)
  await reader.find(({ id }) => id === String(last))
  expect(seenBy(reader)).toEqual(ids.toSorted((a, b) => a - b))
  expect(process.memoryUsage.rss() - before).toBeLessThan(300 * 1024 * 1024)
  reader.close()
  await expectNobody()
  socket.destroy()
})

async function announceMany(message: string, count: number): Promise<number[]> {
  return await inParallel(Array.from({ length: count }), 25, async () => {
    return await poster.announced({ message })
  })
}

function seenBy({ messages }: EventSource): number[] {
  // On a busy machine the stream may say in between that the database does not answer, which has no id.
  return messages.filter(({ data, id }) => data !== null && id).map(({ id }) => Number(id))
}
