import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, patience, untilReady } from '../support/eventually.ts'
import { openEventSource } from '../support/live/event-source.ts'
import { needing } from '../support/needs/needs.ts'
import type { Poster } from '../support/people.ts'
import { announceThenBadge, type Doors, postersOf } from '../support/postgres/announce-then-badge.ts'
import {
  ask,
  badgeReadsOf,
  type Replicated,
  standbysCounted,
  standbysRead,
  startWithStandbys,
  waitingFor,
} from '../support/postgres/with-standbys.ts'
import { doorOf, type Process, startProcess } from '../support/process.ts'

const standbyCount = 2
const rounds = 1_000
const answerMs = 2_500

type Fault = readonly [
  name: string,
  fail: (cluster: Replicated) => unknown,
  mend: (cluster: Replicated) => unknown,
]

const faults: readonly Fault[] = [
  [
    'has its replay paused',
    ({ standbys: [north] }) => north && ask(north, 'select pg_wal_replay_pause()'),
    ({ standbys: [north] }) => north && ask(north, 'select pg_wal_replay_resume()'),
  ],
  ['is killed', ({ standbys }) => standbys[0]?.stop('immediate'), ({ standbys }) => standbys[0]?.start()],
  ['is frozen', ({ standbys }) => standbys[0]?.freeze(), ({ standbys }) => standbys[0]?.thaw()],
  [
    'is late, and taken out of the list',
    async ({ primary, standbys: [north] }) => {
      await north?.configure({ recovery_min_apply_delay: '300ms' })
      await Bun.sleep(1_000)
      await primary.configure(waitingFor('south'))
      // Commits that waited for both are acknowledged when the remaining standby has something to confirm.
      for (let n = 0; n < 20; n += 1) {
        await ask(primary, `set synchronous_commit = local; select pg_logical_emit_message(true, '', '')`)
      }
    },
    async ({ primary, standbys: [north] }) => {
      await north?.configure({ recovery_min_apply_delay: '0' })
      await primary.configure(waitingFor('north', 'south'))
    },
  ],
]

needing('postgresql').describe('From two standbys', () => {
  let cluster: Replicated
  let processes: readonly Process[]
  let doors: Doors
  let posters: readonly Poster[]
  beforeAll(async () => {
    cluster = await startWithStandbys('north', 'south')
    // The first one migrates.
    const first = startProcess({ ...cluster.environment, METRICS_PORT: '0' })
    const announces = doorOf(await first.url)
    await untilReady(announces)
    const second = startProcess({ ...cluster.environment, METRICS_PORT: '0' })
    processes = [first, second]
    doors = { announces, shows: doorOf(await second.url) }
    await untilReady(doors.shows)
    posters = await postersOf(doors, 16)
  })
  afterAll(async () => {
    for (const { child } of processes) child.kill('SIGKILL')
    await cluster.remove()
  })

  test(`${rounds} announcements show in the badges of another process`, async () => {
    const before = await Promise.all(cluster.standbys.map(badgeReadsOf))
    const { stale, unavailable, shown } = await announceThenBadge(
      doors,
      posters,
      ({ acknowledged }) => acknowledged.length < rounds,
    )
    expect({ stale, unavailable }).toEqual({ stale: 0, unavailable: 0 })
    expect(shown).toBeGreaterThanOrEqual(rounds)
    // Many badges are read in one statement.
    for (const [n, standby] of cluster.standbys.entries()) {
      const isAsked = async () => (await badgeReadsOf(standby)) - (before[n] ?? 0) > rounds / 50
      await eventually('every standby is asked for its part', isAsked)
    }
  })

  test.each(faults)(
    'when one %s, nothing stale is read, and it is read again after',
    async (_, fail, mend) => {
      let isOver = false
      const load = announceThenBadge(doors, posters, () => !isOver)
      await Bun.sleep(300)
      await fail(cluster)
      await eventually('it is not read', async () => (await standbysRead(processes[1])) === standbyCount - 1)
      expect(await standbysCounted(processes[1])).toBe(standbyCount)
      await Bun.sleep(1_000)
      await mend(cluster)
      await eventually('it is read again', async () => (await standbysRead(processes[1])) === standbyCount)
      await Bun.sleep(300)
      isOver = true
      const { stale, unavailable, slowestMs, acknowledged } = await load
      expect({ stale, unavailable }).toEqual({ stale: 0, unavailable: 0 })
      expect(slowestMs).toBeLessThan(patience(answerMs))
      expect(acknowledged.length).toBeGreaterThan(0)
    },
  )

  test('when the primary is killed and started again, nothing stale is read, and both are read again', async () => {
    let isOver = false
    const load = announceThenBadge(doors, posters, () => !isOver)
    await Bun.sleep(300)
    await cluster.primary.restart('immediate')
    await eventually('both are read', async () => (await standbysRead(processes[1])) === standbyCount)
    await Bun.sleep(300)
    isOver = true
    const { stale, slowestMs, acknowledged } = await load
    expect(stale).toBe(0)
    expect(slowestMs).toBeLessThan(patience(answerMs))
    expect(acknowledged.length).toBeGreaterThan(0)
  })

  test('a watcher of a page that one shows ahead of the primary is sent nothing twice', async () => {
    const [north] = cluster.standbys
    const [poster] = posters
    north?.freeze()
    await eventually('it is not read', async () => (await standbysRead(processes[1])) === standbyCount - 1)
    // Its commit waits for the one that is frozen, and the other one shows it.
    const waiting = poster?.announce({ message: 'Ahead of the primary' })
    const page = async () => await (await doors.shows.fetch(`/${poster?.username}`)).text()
    await eventually('a page shows it', async () => (await page()).includes('Ahead of the primary'))
    const [, seen = ''] = /data-seen="(\d+)"/.exec(await page()) ?? []
    const stream = await openEventSource(doors.shows, '/feed/live', { 'Last-Event-ID': seen })
    await Bun.sleep(200)
    north?.thaw()
    await (await waiting)?.text()
    await eventually('it is read again', async () => (await standbysRead(processes[1])) === standbyCount)
    expect((await poster?.announce({ message: 'After that' }))?.status).toBe(201)
    await stream.find(({ data }) => data?.includes('After that') ?? false)
    expect(stream.raw()).not.toContain('Ahead of the primary')
    stream.close()
  })
})
