import { afterEach, beforeEach, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isIn, wholeFeed } from '../../src/domain/feed/feed.ts'
import { type EventStreams, eventStreams } from '../../src/http/event-streams.ts'
import { everyPage, type Part } from '../../src/live/catch-up.ts'
import type { FeedMessage } from '../../src/live/follower.ts'
import { type LiveFeed, liveFeed } from '../../src/live/live-feed.ts'
import { eventually } from '../support/eventually.ts'
import { sinkOf } from '../support/live/diary.ts'
import { type HeldLog, heldLog } from '../support/live/held-log.ts'

let log: HeldLog
let feed: LiveFeed
let streams: EventStreams
let failures: unknown[]
beforeEach(() => {
  log = heldLog()
  feed = liveFeed(log)
  failures = []
  streams = eventStreams({ perAddress: 1, total: 1, onFailure: (error) => failures.push(error) })
})
afterEach(() => {
  streams.close()
  feed.close()
})

/**
 * Follows the log from its beginning; returns the ids of the events as they come. An event of user 13 cannot be
 * rendered.
 */
async function follow(
  readAfter: (part: Part) => ReturnType<HeldLog['readAfter']>,
  pageSize: number,
): Promise<number[]> {
  const stream = streams.open({ address: 'a', request: new Request('http://a/'), server: null })
  if (stream === null) throw new Error('There is no room for a stream')
  const ids: number[] = []
  const frameOf = (message: FeedMessage) => {
    if (message.kind === 'announced' && message.deployment.poster.id === 13) throw new Error('Unwritable')
    return new TextEncoder().encode(message.kind === 'announced' ? `${message.id} ` : '')
  }
  const reading = everyPage({ readAfter, pageSize, pace: (work) => work() })
  await feed.follow({ filter: wholeFeed, after: 0, frameOf, sink: stream }, reading)
  void (async () => {
    for await (const chunk of stream.body) {
      const text = new TextDecoder().decode(chunk)
      ids.push(...[...text.matchAll(/^(\d+) $/g)].map(([, id]) => Number(id)))
    }
  })()
  return ids
}

test('events between the last page and the live feed are sent too, however many there are', async () => {
  let isLate = true
  const ids = await follow(async ({ filter, after }) => {
    const page = await log.readAfter(filter, after, 100)
    // More than a returning page would get.
    if (page.length === 0 && isLate) for (let n = 0; n < 250; n += 1) log.announce()
    isLate = isLate && page.length > 0
    return page
  }, 100)
  await eventually('all events have come', () => ids.length >= 250)
  log.announce()
  feed.look()
  await eventually('the next event has come', () => ids.length >= 251)
  expect(ids).toEqual(Array.from({ length: 251 }, (_, n) => n + 1))
})

test.each([
  ['is offered live', false],
  ['is read in a page', true],
])(
  'an event that %s and cannot be rendered ends the stream, and the error is reported',
  async (_, isMissed) => {
    const announce = () => [1, 13].map(log.announce)
    if (isMissed) announce()
    const ids = await follow(({ filter, after }) => log.readAfter(filter, after, 1), 1)
    if (!isMissed) announce()
    feed.look()
    await eventually('the stream has ended', () => streams.count === 0)
    expect(ids).toEqual([1])
    expect(feed.watcherCount).toBe(0)
    expect(failures).toEqual([new Error('Unwritable')])
  },
)

/** What may happen at any moment. A slow reader has no room for live events until it has read everything. */
const happenings = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('commit'), count: fc.constantFrom(1, 2, 9, 20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('bell'), count: fc.constant(0) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('come'), count: fc.nat({ max: 30 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('slow', 'fast'), count: fc.constant(0) }) },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('step'), count: fc.nat({ max: 9 }) }) },
)

test('a follower of pages sends every event of its part once and in order, whatever happens when', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happenings, { minLength: 20, maxLength: 80 }), async (story) => {
      const log = heldLog()
      log.isHeld = true
      const feed = liveFeed(log)
      const filter = { ...wholeFeed, userId: 2 }
      const read = everyPage({
        readAfter: (part) => log.readAfter(part.filter, part.after, 7),
        pageSize: 7,
        pace: (work) => work(),
      })
      const readers: { ids: number[]; after: number; begun: Promise<unknown> }[] = []
      let isSlow = false
      let whenFast = Promise.withResolvers<void>()

      function come(back: number): void {
        const after = Math.max(0, log.highest - back)
        const ids: number[] = []
        const frameOf = (message: FeedMessage) => {
          if (message.kind === 'announced') ids.push(message.id)
          return new Uint8Array()
        }
        const sink = sinkOf({ allRead: async () => await (isSlow ? whenFast.promise : undefined) })
        Object.defineProperty(sink, 'hasRoom', { get: () => !isSlow })
        readers.push({ ids, after, begun: feed.follow({ filter, after, frameOf, sink }, read) })
      }

      function beFast(): void {
        isSlow = false
        whenFast.resolve()
        whenFast = Promise.withResolvers()
      }

      for (const { kind, count } of story) {
        if (kind === 'commit') for (let n = 0; n < count; n += 1) log.announce((log.highest % 3) + 1)
        else if (kind === 'bell') feed.look()
        else if (kind === 'come') come(count)
        else if (kind === 'slow') isSlow = true
        else if (kind === 'fast') beFast()
        else await log.step(count)
      }
      beFast()
      feed.look()
      const due = (after: number) =>
        log.events.flatMap((event) => (event.id > after && isIn(filter, event) ? [event.id] : []))
      const isOver = () => readers.every(({ ids, after }) => ids.length >= due(after).length)
      // A crowd gets each event in a turn of its own.
      for (let turn = 0; turn < 30 || (turn < 1_000 && !isOver()); turn += 1) await log.settle()
      await Promise.all(readers.map(({ begun }) => begun))
      for (const { ids, after } of readers) expect(ids).toEqual(due(after))
      feed.close()
    }),
    { numRuns: 3_000 },
  )
})
