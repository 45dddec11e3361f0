import { deleteUser } from '../../../src/data/account/deletion.ts'
import { withdrawDeployment } from '../../../src/data/withdrawals.ts'
import { openPostgres } from '../../../src/database/postgres/open.ts'
import { allPosters, announcementOf, deploymentsEach } from '../data-sets/people.ts'
import { copyOfDataSet } from '../data-sets/postgres.ts'
import { percentile } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { inMs, type Row } from '../table.ts'
import type { Extent } from './section.ts'

const users = 91
const ofBusy = 1_000_000
/** So many announce at a modest rate: 80 a second in all. */
const announcers = 4
const pauseMs = 50

/** What others wait for while a user of a million deployments withdraws some, and then deletes the account. */
export async function largeAccount({ seconds }: Extent): Promise<readonly Row[]> {
  const databaseUrl = await copyOfDataSet(users, ofBusy)
  const server = await shipfeed({ DATABASE_URL: databaseUrl })
  const db = await openPostgres(databaseUrl)
  const userId = users + 1
  const firstId = users * deploymentsEach + 1
  await db.migrated
  const waits = (work: () => Promise<unknown>) => waitsDuring(server.url, work)
  const idle = () => Bun.sleep(seconds * 5_000)

  await waits(idle)
  const before = await waits(idle)
  const withdrawing = await waits(async () => {
    const end = performance.now() + seconds * 5_000
    for (let n = 0; performance.now() < end; n++) {
      // The newest, the oldest and one in the middle.
      const id = firstId + (n % 3 === 0 ? ofBusy - 1 - n : n % 3 === 1 ? n : ofBusy / 2 + n)
      if (!(await withdrawDeployment(db, { userId, id }))) throw new Error(`${id} was withdrawn before`)
      await Bun.sleep(pauseMs)
    }
  })
  const deleting = await waits(async () => {
    await deleteUser(db, userId)
    await idle()
  })
  const after = await waits(idle)
  await db.close()
  await server.stop()

  const longest = (values: readonly number[]) => percentile(values, 1)
  const row = (what: string, ours: readonly number[], beside: readonly number[]): readonly Row[] => [
    {
      what: `longest wait of an announcement while a user of 1,000,000 deployments ${what}; beside nothing of it`,
      ours: inMs(longest(ours)),
      beside: inMs(longest(beside)),
      measure: longest(ours),
      unit: ' ms',
      aim: { atMost: 50 },
    },
    {
      what: `p50 and p99 of the same ${ours.length}, and ${beside.length}`,
      ours: `${inMs(percentile(ours, 0.5))}, ${inMs(percentile(ours, 0.99))}`,
      beside: `${inMs(percentile(beside, 0.5))}, ${inMs(percentile(beside, 0.99))}`,
    },
  ]
  return [...row('withdraws 20 a second', withdrawing, before), ...row('is being deleted', deleting, after)]
}

/** How long announcements take, in ms, as long as the work does. */
async function waitsDuring(url: string, work: () => Promise<unknown>): Promise<readonly number[]> {
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
