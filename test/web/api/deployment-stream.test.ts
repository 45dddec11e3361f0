import { afterEach, beforeEach, expect, test } from 'bun:test'
import { wholeFeed } from '../../../src/domain/feed-event.ts'
import { type EventStreams, eventStreams } from '../../../src/http/event-streams.ts'
import { type LiveFeed, liveFeed } from '../../../src/live/live-feed.ts'
import { DeploymentStream, type Part } from '../../../src/web/api/deployment-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { type HeldLog, heldLog } from '../../support/live/held-log.ts'

let log: HeldLog
let feed: LiveFeed
let streams: EventStreams
beforeEach(() => {
  log = heldLog()
  feed = liveFeed(log)
  streams = eventStreams({ perAddress: 1, total: 1 })
})
afterEach(() => {
  streams.close()
  feed.close()
})

/** Follows the log from its beginning; gives the ids of the events as they come. */
async function follow(readPage: (part: Part) => ReturnType<HeldLog['readAfter']>): Promise<number[]> {
  const stream = streams.open({ address: 'a', request: new Request('http://a/'), server: null })
  if (stream === null) throw new Error('There is no room for a stream')
  const ids: number[] = []
  const frameOf = (message: { kind: string; id?: number }) =>
    new TextEncoder().encode(message.kind === 'announced' ? `${message.id} ` : '')
  await new DeploymentStream({ liveFeed: feed, readPage, frameOf, stream, filter: wholeFeed }, 0).begin()
  void (async () => {
    for await (const chunk of stream.body) {
      const text = new TextDecoder().decode(chunk)
      ids.push(...text.split(' ').filter(Boolean).map(Number))
    }
  })()
  return ids
}

test('what comes between the last page and the live feed is read by pages too, however much it is', async () => {
  let isLate = true
  const ids = await follow(async ({ filter, after }) => {
    const page = await log.readAfter(filter, after, 100)
    // More than a returning browser would be sent.
    if (page.length === 0 && isLate) for (let n = 0; n < 250; n += 1) log.announce()
    isLate = isLate && page.length > 0
    return page
  })
  await eventually('all have come', () => ids.length >= 250)
  log.announce()
  feed.look()
  await eventually('the next one has come', () => ids.length >= 251)
  expect(ids).toEqual(Array.from({ length: 251 }, (_, n) => n + 1))
})
