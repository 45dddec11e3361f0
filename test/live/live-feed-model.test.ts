import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { type FeedFilter, isIn } from '../../src/domain/feed/feed.ts'
import { catchUpLimit } from '../../src/live/catch-up.ts'
import { type LiveFeed, liveFeed } from '../../src/live/live-feed.ts'
import { type Diary, everything, keepDiary } from '../support/live/diary.ts'
import { type HeldLog, heldLog } from '../support/live/held-log.ts'

const filters: readonly FeedFilter[] = [
  everything,
  { ...everything, userId: 2 },
  { ...everything, userId: 2, scope: 'host-1.example' },
  { ...everything, userId: 2, by: { category: 'feature' } },
  { ...everything, by: { category: 'feature' } },
  { ...everything, by: { environment: 'production' } },
]

/** What may happen at any moment. A commit without a bell is a bell that was lost. */
const happenings = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('commit'), count: fc.constantFrom(1, 1, 2, 120) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('bell') }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('come'),
      back: fc.option(fc.constantFrom(0, 1, 3, 130)),
      filter: fc.nat({ max: filters.length - 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('go'), which: fc.nat({ max: 9 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail'), isAway: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), doWait: fc.boolean() }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('step'), which: fc.nat({ max: 9 }) }) },
)

type Happening = {
  kind: string
  count?: number
  back?: number | null
  filter?: number
  which?: number
  isAway?: boolean
  doWait?: boolean
}

type Visitor = {
  readonly diary: Diary
  readonly filter: FeedFilter
  readonly cursor: number | null
  readonly begun: Promise<unknown>
  state: State
}
type State = 'coming' | 'watching' | 'refused' | 'gone'

test('every watcher receives each event of their part once and in order, whatever happens and when', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(happenings, { maxLength: 60 }), async (story) => {
      const log = heldLog()
      log.isHeld = true
      const feed = liveFeed(log)
      const visitors: Visitor[] = []
      for (const happening of story) await happen(happening, { log, feed, visitors })

      log.isAway = false
      log.commitsWait(false)
      await log.settle()
      await Promise.allSettled(visitors.map(({ begun }) => begun))
      feed.look()
      await log.settle()
      for (const visitor of visitors) expectAll(visitor, log)
      expect(feed.watcherCount).toBe(visitors.filter(({ state }) => state === 'watching').length)
      for (const { diary } of visitors) diary.stop()
      const { reads } = log
      feed.look()
      await log.settle()
      expect(log.reads).toBe(reads)
      feed.close()
    }),
    { numRuns: 5_000 },
  )
})

type World = { readonly log: HeldLog; readonly feed: LiveFeed; readonly visitors: Visitor[] }

async function happen(happening: Happening, { log, feed, visitors }: World): Promise<void> {
  const { kind, count = 0, back = null, filter = 0, which = 0, isAway = false, doWait = false } = happening
  if (kind === 'commit') {
    for (let n = 0; n < count; n += 1) log.announce((log.highest % 3) + 1)
  } else if (kind === 'bell') {
    feed.look()
  } else if (kind === 'come') {
    come({ log, feed, visitors }, back, filters[filter] ?? everything)
  } else if (kind === 'go') {
    const watching = visitors.filter(({ state }) => state === 'watching')
    const leaving = watching[which % watching.length]
    if (leaving !== undefined) {
      leaving.diary.stop()
      leaving.state = 'gone'
    }
  } else if (kind === 'fail') {
    log.isAway = isAway
  } else if (kind === 'wait') {
    log.commitsWait(doWait)
  } else {
    await log.step(which)
  }
}

function come({ log, feed, visitors }: World, back: number | null, filter: FeedFilter): void {
  // A page that a standby showed may be ahead of the log.
  const cursor = back === null ? null : Math.max(0, log.highest - back)
  const { diary, begun } = keepDiary(feed, { after: cursor, filter })
  const visitor: Visitor = { diary, filter, cursor, begun, state: 'coming' }
  visitors.push(visitor)
  begun.then(
    () => {
      visitor.state = 'watching'
    },
    () => {
      visitor.state = 'refused'
    },
  )
}

function expectAll({ diary, filter, cursor, state }: Visitor, log: HeldLog): void {
  if (state === 'refused') {
    expect(diary.lines).toEqual([])
    return
  }
  const [first, ...rest] = diary.received
  if (first?.kind !== 'position') throw new Error(`It begins with ${diary.lines[0]}`)
  if (cursor !== null) expect(first.id).toBe(cursor)
  expect(rest.some(({ kind }) => kind === 'position')).toBe(false)

  const isCut = rest.some(({ kind }) => kind === 'gap')
  expect(rest.findLastIndex(({ kind }) => kind === 'gap')).toBe(isCut ? 0 : -1)
  const all = log.events.filter((event) => event.id > first.id && isIn(filter, event)).map(({ id }) => id)
  const from = isCut ? all.indexOf(diary.ids[0] ?? -1) : 0
  const due = all.slice(from)
  if (isCut) expect(from).toBeGreaterThan(0)
  if (isCut) expect(diary.ids.length).toBeGreaterThanOrEqual(catchUpLimit)
  if (state === 'watching') expect(diary.ids).toEqual(due)
  else expect(diary.ids).toEqual(due.slice(0, diary.ids.length))

  const news = diary.lines.filter((line) => line === 'interrupted' || line === 'resumed')
  expect(news).toEqual(news.map((_, n) => (n % 2 === 0 ? 'interrupted' : 'resumed')))
  if (state === 'watching') expect(news.length % 2).toBe(0)
}
