import { afterEach, beforeEach, describe, expect, jest, test } from 'bun:test'
import { type LiveFeed, liveFeed } from '../../src/live/live-feed.ts'
import { watch } from '../support/live/diary.ts'
import { type HeldLog, heldLog } from '../support/live/held-log.ts'

let log: HeldLog
let feed: LiveFeed
beforeEach(() => {
  log = heldLog()
  feed = liveFeed(log)
})
afterEach(() => feed.close())

/** Rings the bell and waits until everything that follows has happened. */
async function ring(): Promise<void> {
  feed.look()
  await log.settle()
}

describe('the log is read', () => {
  test('not at all while there are no watchers, however often the bell rings', async () => {
    for (let n = 0; n < 10; n += 1) feed.look()
    await log.settle()
    expect(log.reads).toBe(0)
    const diary = await watch(feed)
    diary.stop()
    await log.settle()
    const { reads } = log
    await ring()
    expect(log.reads).toBe(reads)
  })

  test('page after page if more was announced than fits on one page', async () => {
    const diary = await watch(feed)
    for (let n = 0; n < 1_201; n += 1) log.announce()
    await ring()
    expect(diary.ids).toEqual(Array.from({ length: 1_201 }, (_, n) => n + 1))
  })

  test('no further when the last watcher leaves halfway', async () => {
    const diary = await watch(feed)
    await log.settle()
    for (let n = 0; n < 1_201; n += 1) log.announce()
    const { reads } = log
    log.isHeld = true
    feed.look()
    await log.step()
    diary.stop()
    await log.settle()
    expect(log.reads - reads).toBe(1)
  })

  test('again if the bell rings any number of steps into a read', async () => {
    for (let steps = 0; steps < 25; steps += 1) {
      const diary = await watch(feed)
      await log.settle()
      feed.look()
      for (let n = 0; n < steps; n += 1) await Promise.resolve()
      log.announce()
      await ring()
      expect(diary.ids).toEqual([steps + 1])
      diary.stop()
    }
  })

  test('once for many bells', async () => {
    await watch(feed)
    await log.settle()
    const { reads } = log
    log.isHeld = true
    for (let n = 0; n < 50; n += 1) feed.look()
    await log.settle()
    // Two looks: each reads new events and, if there are none, the end of the log.
    expect(log.reads - reads).toBeLessThanOrEqual(4)
  })

  test('every few seconds without a bell, and not after the feed is closed', async () => {
    jest.useFakeTimers()
    try {
      const timed = liveFeed(log)
      const diary = await watch(timed)
      log.announce()
      jest.advanceTimersByTime(5_000)
      for (let n = 0; n < 20; n += 1) await Promise.resolve()
      expect(diary.ids).toEqual([1])
      timed.close()
      expect(timed.watcherCount).toBe(0)
      expect(jest.getTimerCount()).toBe(0)
    } finally {
      jest.useRealTimers()
    }
  })
})
