import { copyOfDataSet } from '../data-sets/postgres.ts'
import { residentBytes } from '../processes.ts'
import { announceRequests, badgeRequests, feedRequests, profileRequests } from '../requests.ts'
import { shipfeed } from '../servers.ts'
import { inMegabytes, type Row } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Memory that was used for starting is returned after a while. */
const settleMs = 3_000
const sampleMs = 50

/** The memory of a process on Postgres: without requests, and at most under load. */
export async function memory({ seconds, users }: Extent): Promise<readonly Row[]> {
  const server = await shipfeed({ DATABASE_URL: await copyOfDataSet(users) })
  await Bun.sleep(settleMs)
  const idle = residentBytes(server.pid)
  let most = idle
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(server.pid))
  }, sampleMs)
  const all = [badgeRequests(users), feedRequests(), profileRequests(users), announceRequests(users)]
  for (const requests of all) await wrk(server, requests, { seconds })
  clearInterval(sampling)
  await server.stop()
  const row = (what: string, bytes: number, atMost: number): Row => {
    const measure = bytes / 1024 ** 2
    return { what, ours: inMegabytes(bytes), measure, unit: ' MB', aim: { atMost } }
  }
  return [
    row('memory on Postgres, idle', idle, 80),
    row('memory on Postgres, under load: badges, pages, announcements', most, 200),
  ]
}
