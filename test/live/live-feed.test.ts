import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { catchUpLimit } from '../../src/live/catch-up.ts'
import { type LiveFeed, liveFeed } from '../../src/live/live-feed.ts'
import { eventually } from '../support/eventually.ts'
import { everything, keepDiary, sinkOf, watch } from '../support/live/diary.ts'
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

describe('a new watcher', () => {
  test('without a cursor gets new events only', async () => {
    log.announce()
    const diary = await watch(feed)
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 1', 'announced 2'])
  })

  test('with a cursor gets the missed events, then new ones', async () => {
    for (let n = 0; n < 3; n += 1) log.announce()
    const diary = await watch(feed, { after: 1 })
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 1', 'announced 2', 'announced 3', 'announced 4'])
  })

  test('gets only the events of its part, and every withdrawal', async () => {
    const filter = { ...everything, userId: 2 }
    const diary = await watch(feed, { after: 0, filter })
    log.announce(1)
    log.announce(2)
    log.withdraw(1)
    await ring()
    expect(diary.lines).toEqual(['position 0', 'announced 2', 'withdrawn 3'])
  })

  test('with an id that the log never assigned is set back to the end of the log', async () => {
    log.announce()
    const diary = await watch(feed, { after: 999 })
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 1', 'announced 2'])
  })

  test('may have an id that another process has sent sooner', async () => {
    await watch(feed)
    log.announce()
    const diary = await watch(feed, { after: 1 })
    await ring()
    expect(diary.lines).toEqual(['position 1'])
  })

  test('may have an id that so far only a standby shows', async () => {
    log.announce()
    log.commitsWait(true)
    log.announce()
    const diary = await watch(feed, { after: 2 })
    log.commitsWait(false)
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 2', 'announced 3'])
  })

  test.each([
    [catchUpLimit, ['position 0', 'announced 1'], catchUpLimit + 1],
    [catchUpLimit + 1, ['position 0', 'gap', 'announced 2'], catchUpLimit + 2],
    [catchUpLimit + 150, ['position 0', 'gap', 'announced 151'], catchUpLimit + 2],
  ])(
    'that missed %d events gets at most the last hundred, after a gap if there were more',
    async (count, first, all) => {
      for (let n = 0; n < count; n += 1) log.announce()
      const diary = await watch(feed, { after: 0 })
      expect(diary.lines.slice(0, first.length)).toEqual(first)
      expect(diary.lines.at(-1)).toBe(`announced ${count}`)
      expect(diary.lines).toHaveLength(all)
    },
  )

  test('that is the first one gets no events from the time without watchers', async () => {
    const earlier = await watch(feed)
    log.announce()
    await ring()
    earlier.stop()
    log.announce()
    const diary = await watch(feed)
    await log.settle()
    expect(diary.lines).toEqual(['position 2'])
  })

  test('is not told of an outage that ended before it came', async () => {
    const earlier = await watch(feed)
    log.isAway = true
    await ring()
    earlier.stop()
    log.isAway = false
    const diary = await watch(feed)
    await log.settle()
    expect(diary.lines).toEqual(['position 0'])
  })

  test('during an outage that others wait out is told of it and waits with them', async () => {
    await watch(feed)
    log.isAway = true
    await ring()
    const diary = await watch(feed)
    log.isAway = false
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 0', 'interrupted', 'announced 1', 'resumed'])
  })

  test('is refused while the log cannot be read, and leaves nothing behind', async () => {
    log.isAway = true
    await expect(keepDiary(feed).begun).rejects.toThrow('The log is away')
    await expect(keepDiary(feed, { after: 3 }).begun).rejects.toThrow('The log is away')
    expect(feed.watcherCount).toBe(0)
    log.isAway = false
    const diary = await watch(feed)
    expect(diary.lines).toEqual(['position 0'])
  })
})

describe('a watcher', () => {
  test('is told once that the log is away, and once that it is back', async () => {
    const diary = await watch(feed)
    log.isAway = true
    for (let n = 0; n < 3; n += 1) {
      await ring()
    }
    log.isAway = false
    log.announce()
    for (let n = 0; n < 3; n += 1) {
      await ring()
    }
    expect(diary.lines).toEqual(['position 0', 'interrupted', 'announced 1', 'resumed'])
  })

  test('continues after a gap when the log was set back, as by a failover', async () => {
    for (let n = 0; n < 3; n += 1) log.announce()
    const diary = await watch(feed)
    log.setBack(1)
    await ring()
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 3', 'position 1', 'gap', 'announced 2'])
  })

  test.each([
    ['fewer', 1],
    ['as many', 2],
    ['more', 4],
  ])('gets what was announced since the log was set back, %s than were lost', async (_, count) => {
    const diary = await watch(feed)
    for (let n = 0; n < 3; n += 1) log.announce()
    await ring()
    log.setBack(1)
    for (let n = 0; n < count; n += 1) log.announce()
    await ring()
    const lost = [1, 2, 3].map((id) => `announced ${id}`)
    const again = [2, 3, 4, 5].slice(0, count).map((id) => `announced ${id}`)
    expect(diary.lines).toEqual(['position 0', ...lost, 'position 1', 'gap', ...again])
  })

  test('is told of no gap when an account was deleted with the last events', async () => {
    for (let n = 0; n < 3; n += 1) log.announce()
    const diary = await watch(feed)
    log.forget(3)
    await ring()
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 3', 'announced 4'])
  })

  test('whose event cannot be rendered loses its stream with that error, and the others go on', async () => {
    const before = keepDiary(feed)
    await before.begun
    const broken = new Error('A frame that cannot be made')
    const failures: unknown[] = []
    let count = 0
    const sink = sinkOf({
      fail(error) {
        failures.push(error)
        sink.owner?.onEnd()
      },
    })
    await feed.follow({
      filter: everything,
      after: null,
      sink,
      frameOf() {
        count += 1
        if (count > 1) throw broken
        return new Uint8Array()
      },
    })
    const after = keepDiary(feed)
    await after.begun
    expect(feed.watcherCount).toBe(3)
    log.announce()
    await ring()
    log.announce()
    await ring()
    expect(before.diary.lines).toEqual(['position 0', 'announced 1', 'announced 2'])
    expect(after.diary.lines).toEqual(['position 0', 'announced 1', 'announced 2'])
    expect(feed.watcherCount).toBe(2)
    expect(count).toBe(2)
    expect(failures).toEqual([broken])
  })

  test('whose stream has already ended is not kept', async () => {
    await feed.follow({
      filter: everything,
      after: null,
      frameOf: () => new Uint8Array(),
      sink: sinkOf({ isOpen: false }),
    })
    expect(feed.watcherCount).toBe(0)
  })

  test('may leave while an event is being sent to a crowd, and gets nothing more', async () => {
    const diaries = Array.from({ length: 600 }, () => keepDiary(feed))
    await Promise.all(diaries.map(({ begun }) => begun))
    const leaving = diaries[599]?.diary
    log.announce()
    feed.look()
    await Promise.resolve().then(() => leaving?.stop())
    await new Promise((resolve) => setImmediate(resolve))
    const reached = () => diaries.filter(({ diary }) => diary.ids.length === 1).length
    expect(reached()).toBeLessThan(599) // The event loop turns before all of them have it.
    await eventually('all others have it', () => reached() >= 599)
    expect(leaving?.ids).toEqual([])
  })
})
