import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually } from '../support/eventually.ts'
import { type Follower, followFeed } from '../support/live/follower.ts'
import { needing } from '../support/needs/needs.ts'
import { ask, badgeReadsOf } from '../support/postgres/with-standbys.ts'
import { proxiedDoorOf } from '../support/process.ts'
import { keepLedger, type Ledger } from './beyond/ledger.ts'
import type { Part } from './beyond/part.ts'
import { startTopology, type Topology } from './beyond/topology.ts'

const posters = 6
/** Slow enough that a page that is away for seconds misses at most the hundred events of a catch-up. */
const pauseMs = 400
const watchers = 40
const faultMs = 3_000
/** Nothing can answer in place of haproxy, so requests wait until it is back. */
const haproxyFaultMs = 1_500
/** haproxy checks twice a second whether a process is back, and a standby follows again as quickly. */
const settleMs = 1_500

const faults: Readonly<Record<string, (part: Part, lastsMs: number) => Promise<void>>> = {
  async killed(part, lastsMs) {
    await part.kill()
    await Bun.sleep(lastsMs)
    await part.start()
  },
  async frozen(part, lastsMs) {
    part.freeze()
    await Bun.sleep(lastsMs)
    part.thaw()
  },
  async restarted(part) {
    await part.stop()
    await part.start()
  },
}

needing('haproxy', 'pgbouncer', 'postgresql').describe(
  'Two processes behind haproxy, on pgbouncer, a primary and two standbys',
  () => {
    let topology: Topology
    let ledger: Ledger
    let followers: Follower[]

    beforeAll(async () => {
      topology = await startTopology()
      ledger = await keepLedger(proxiedDoorOf(topology.url), posters, pauseMs)
      followers = Array.from({ length: watchers }, (_, n) =>
        followFeed(topology.url, n % 2 === 0 ? '/feed/live' : '/api/deployments/live'),
      )
      await eventually('all follow', () => followers.every(({ connections }) => connections > 0))
    })

    afterAll(async () => {
      await topology?.stop()
    })

    test('lose, double and miss nothing, and are never stale or late, whichever part is killed, frozen or restarted', async () => {
      for (const part of topology.parts) {
        for (const [fault, happen] of Object.entries(faults)) {
          ledger.during(`${part.name} ${fault}`)
          await happen(part, part.name === 'haproxy' ? haproxyFaultMs : faultMs)
          await acknowledgedMore(10)
          await Bun.sleep(settleMs)
        }
      }
      await ledger.stop()

      const stored = await deployments()
      const ids = stored.map(({ id }) => id)
      await eventually('all have the last one', () => followers.every((one) => one.ids.at(-1) === ids.at(-1)))
      await Promise.all(followers.map((follower) => follower.stop()))
      expect(ledger.acknowledged.filter((id) => !ids.includes(id))).toEqual([])
      expect(new Set(stored.map(({ what }) => what)).size).toBe(stored.length)
      expect(ledger.stale).toEqual([])
      expect(ledger.late).toEqual([])
      expect(ledger.strange).toEqual([])
      for (const follower of followers) expect([follower.gaps, follower.ids]).toEqual([0, ids])
      for (const standby of topology.standbys) expect(await badgeReadsOf(standby)).toBeGreaterThan(0)
    }, 900_000)

    async function acknowledgedMore(count: number): Promise<void> {
      const goal = ledger.acknowledged.length + count
      await eventually(`${count} more are acknowledged`, () => ledger.acknowledged.length >= goal)
    }

    function deployments(): Promise<readonly { id: number; what: string }[]> {
      return ask(
        topology.primary,
        "select id::int, concat(user_id, ' ', message) as what from deployments order by id",
      )
    }
  },
)
