import { deleteUser } from '../../src/data/account/deletion.ts'
import { withdrawDeployment } from '../../src/data/deployments.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { tables } from '../../src/table-uses.ts'
import { allPosters, announcementOf, deploymentsEach } from '../data-sets/people.ts'
import { copyOfDataSet } from '../data-sets/server.ts'
import { percentile } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { inMs, type Row } from '../table.ts'
import type { Extent } from './section.ts'

const users = 91
const ofBusy = 1_000_000
/** This many users announce at a modest rate: 80 a second in all. */
const announcers = 4
const pauseMs = 50

/** The longest waits of a round, in ms. */
type Waits = readonly (readonly number[])[]

/**
 * How long others wait while a user with a million deployments withdraws some, and then deletes the account. The median
 * of each round's longest wait counts, because a busy machine makes others wait for reasons that are not ours.
 */
export async function largeAccount({ seconds, rounds }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await copyOfDataSet(users, ofBusy)
  const server = await shipfeed({ DATABASE_URL: databaseUrl })
  const db = await openPostgres(databaseUrl)
  await db.migrated
  const userId = users + 1
  const firstId = users * deploymentsEach + 1
  let withdrawn = 0
  const withdraw = async () => {
    const end = performance.now() + seconds * 1_000
    for (; performance.now() < end; withdrawn++) {
      const n = withdrawn
      // The newest, the oldest and one in the middle.
      const id = firstId + (n % 3 === 0 ? ofBusy - 1 - n : n % 3 === 1 ? n : ofBusy / 2 + n)
      if (!(await withdrawDeployment(db, { userId, id }))) throw new Error(`${id} was withdrawn before`)
      await Bun.sleep(pauseMs)
    }
  }
  const nothing = () => Bun.sleep(seconds * 1_000)
  const measure = async (work: () => Promise<unknown>) => {
    const waits: number[][] = []
    for (let round = 0; round < rounds; round++) waits.push(await waitsDuring(server.url, work))
    return waits
  }

  await waitsDuring(server.url, nothing)
  const before = await measure(nothing)
  const withdrawing = await measure(withdraw)
  // The deletion goes on in the background after the measurement.
  await deleteUser(db, tables, userId)
  const deleting = await measure(nothing)
  await db.close()
  const after = await measure(nothing)
  await server.stop()
  return [
    row('withdraws 20 a second', withdrawing, before),
    quantiles(withdrawing, before),
    row('is being deleted', deleting, after),
    quantiles(deleting, after),
  ]
}

function row(what: string, ours: Waits, peer: Waits): Row {
  const longest = (rounds: Waits) => rounds.map((waits) => percentile(waits, 1))
  const measure = percentile(longest(ours), 0.5)
  return {
    what: `longest wait of an announcement while a user of 1,000,000 deployments ${what}; peer: without that`,
    ours: inMs(measure),
    peer: inMs(percentile(longest(peer), 0.5)),
    measure,
    unit: ' ms',
    aim: { atMost: 50 },
  }
}

function quantiles(ours: Waits, peer: Waits): Row {
  const [a, b] = [ours.flat(), peer.flat()]
  const tell = (waits: readonly number[]) =>
    [0.5, 0.99, 1].map((part) => inMs(percentile(waits, part))).join(', ')
  return {
    what: `p50, p99 and longest of all ${a.length}, and of ${b.length}`,
    ours: tell(a),
    peer: tell(b),
  }
}

/** How long announcements take during the work, in ms. */
async function waitsDuring(url: string, work: () => Promise<unknown>): Promise<number[]> {
  const waits: number[] = []
  let isOver = false
  const announcing = allPosters(announcers).map(async (poster) => {
    const headers = { Authorization: `Bearer ${poster.token}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify(announcementOf(poster))
    while (!isOver) {
      const start = performance.now()
      const response = await fetch(`${url}/api`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      if (response.status !== 201) throw new Error(`An announcement is answered ${response.status}`)
      waits.push(performance.now() - start)
      await Bun.sleep(pauseMs)
    }
  })
  await work()
  isOver = true
  await Promise.all(announcing)
  return waits
}
