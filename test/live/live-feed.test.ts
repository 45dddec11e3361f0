import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { catchUpLimit } from '../../src/live/catch-up.ts'
import { type LiveFeed, liveFeed } from '../../src/live/live-feed.ts'
import { eventually } from '../support/eventually.ts'
import { everything, keepDiary, watch } from '../support/live/diary.ts'
import { type HeldLog, heldLog } from '../support/live/held-log.ts'

let log: HeldLog
let feed: LiveFeed
beforeEach(() => {
  log = heldLog()
  feed = liveFeed(log)
})
afterEach(() => feed.close())

/** Rings the bell, and waits until all that follows has happened. */
async function ring(): Promise<void> {
  feed.look()
  await log.settle()
}

describe('who comes', () => {
  test('without a cursor gets what is announced from now on', async () => {
    log.announce()
    const diary = await watch(feed)
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 1', 'announced 2'])
  })

  test('with a cursor gets what they missed, then what is announced', async () => {
    for (let n = 0; n < 3; n += 1) log.announce()
    const diary = await watch(feed, { after: 1 })
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 1', 'announced 2', 'announced 3', 'announced 4'])
  })

  test('gets only their part, and every withdrawal', async () => {
    const filter = { ...everything, userId: 2 }
    const diary = await watch(feed, { after: 0, filter })
    log.announce(1)
    log.announce(2)
    log.withdraw(1)
    await ring()
    expect(diary.lines).toEqual(['position 0', 'announced 2', 'withdrawn 3'])
  })

  test('with an id that the log never gave is set back to its end', async () => {
    log.announce()
    const diary = await watch(feed, { after: 999 })
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 1', 'announced 2'])
  })

  test('with an id that another process was quicker to send is believed', async () => {
    await watch(feed)
    log.announce()
    const diary = await watch(feed, { after: 1 })
    await ring()
    expect(diary.lines).toEqual(['position 1'])
  })

  test('with an id that only a standby shows yet is believed', async () => {
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
    'after missing %d gets the last hundred, and is told of a gap before them',
    async (count, first, all) => {
      for (let n = 0; n < count; n += 1) log.announce()
      const diary = await watch(feed, { after: 0 })
      expect(diary.lines.slice(0, first.length)).toEqual(first)
      expect(diary.lines.at(-1)).toBe(`announced ${count}`)
      expect(diary.lines).toHaveLength(all)
    },
  )

  test('first of all is not sent what was announced while nobody watched', async () => {
    const earlier = await watch(feed)
    log.announce()
    await ring()
    earlier.stop()
    log.announce()
    const diary = await watch(feed)
    await log.settle()
    expect(diary.lines).toEqual(['position 2'])
  })

  test('after the log came back unseen hears nothing of its absence', async () => {
    const earlier = await watch(feed)
    log.isAway = true
    await ring()
    earlier.stop()
    log.isAway = false
    const diary = await watch(feed)
    await log.settle()
    expect(diary.lines).toEqual(['position 0'])
  })

  test('while others wait for the log to be back waits with them, and knows it', async () => {
    await watch(feed)
    log.isAway = true
    await ring()
    const diary = await watch(feed)
    log.isAway = false
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 0', 'interrupted', 'announced 1', 'resumed'])
  })

  test('while the log is away is refused, and leaves nothing behind', async () => {
    log.isAway = true
    await expect(keepDiary(feed).begun).rejects.toThrow('The log is away')
    await expect(keepDiary(feed, { after: 3 }).begun).rejects.toThrow('The log is away')
    expect(feed.watcherCount).toBe(0)
    log.isAway = false
    const diary = await watch(feed)
    expect(diary.lines).toEqual(['position 0'])
  })
})

describe('who watches', () => {
  test('hears once that the log is away, and once that it is back', async () => {
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

  test('goes on when the log was set back, as by a failover, and hears of a gap', async () => {
    for (let n = 0; n < 3; n += 1) log.announce()
    const diary = await watch(feed)
    log.setBack(1)
    await ring()
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 3', 'position 1', 'gap', 'announced 2'])
  })

  test('hears of no gap when an account was deleted with the last events', async () => {
    for (let n = 0; n < 3; n += 1) log.announce()
    const diary = await watch(feed)
    log.forget(3)
    await ring()
    log.announce()
    await ring()
    expect(diary.lines).toEqual(['position 3', 'announced 4'])
  })

  test('that throws is let go, and harms nobody else', async () => {
    const before = keepDiary(feed)
    await before.begun
    let count = 0
    await feed.watch({
      filter: everything,
      after: null,
      receiver: {
        receive: () => {
          count += 1
          if (count > 1) throw new Error('A reader that is broken')
        },
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
  })

  test('that throws at the very beginning is refused', async () => {
    const receive = () => {
      throw new Error('A reader that is broken')
    }
    await expect(feed.watch({ filter: everything, after: null, receiver: { receive } })).rejects.toThrow(
      'broken',
    )
    expect(feed.watcherCount).toBe(0)
  })

  test('may leave while an event is on its way to a crowd, and is sent no more', async () => {
    const diaries = Array.from({ length: 600 }, () => keepDiary(feed))
    await Promise.all(diaries.map(({ begun }) => begun))
    const leaving = diaries[599]?.diary
    log.announce()
    feed.look()
    await Promise.resolve().then(() => leaving?.stop())
    await new Promise((resolve) => setImmediate(resolve))
    const reached = () => diaries.filter(({ diary }) => diary.ids.length === 1).length
    expect(reached()).toBeLessThan(599) // The event loop turns before all have it.
    await eventually('all others have it', () => reached() >= 599)
    expect(leaving?.ids).toEqual([])
  })
})
