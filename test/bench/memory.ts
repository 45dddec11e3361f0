import { copyOfDataSet } from './data-sets/postgres.ts'
import { residentBytes } from './processes.ts'
import { announceRequests, badgeRequests, feedRequests, profileRequests } from './requests.ts'
import type { Extent } from './section.ts'
import { shipfeed } from './servers.ts'
import { inMegabytes, type Row } from './table.ts'
import { wrk } from './wrk.ts'

/** What is left over from starting is given back after a while. */
const settleMs = 3_000
const sampleMs = 50

/** The memory of a process on Postgres: when nobody asks, and the most that it holds under load. */
export async function memory({ seconds, deployments }: Extent): Promise<readonly Row[]> {
  const server = await shipfeed({ DATABASE_URL: await copyOfDataSet(deployments) })
  await Bun.sleep(settleMs)
  const idle = residentBytes(server.pid)
  let most = idle
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(server.pid))
  }, sampleMs)
  for (const requests of [badgeRequests(), feedRequests(), profileRequests(), announceRequests()]) {
    await wrk(server.url, requests, { seconds })
  }
  clearInterval(sampling)
  await server.stop()
  const row = (what: string, bytes: number, aim: string): Row => ({
    what,
    ours: inMegabytes(bytes),
    peer: '',
    ratio: '',
    aim,
  })
  return [
    row('memory on Postgres, idle', idle, '≤ 80 MB'),
    row('memory on Postgres, under load: badges, pages, announcements', most, '≤ 200 MB'),
  ]
}
