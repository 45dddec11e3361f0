import { embeddedDataSet, embeddedUsers } from '../data-sets/embedded.ts'
import { copyOfDataSet } from '../data-sets/postgres.ts'
import { fileBytes, residentBytes } from '../processes.ts'
import { announceRequests, badgeRequests, feedRequests, profileRequests } from '../requests.ts'
import { type Storage, shipfeed } from '../servers.ts'
import { inMegabytes, type Row } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Memory that was used for starting is returned after a while. */
const settleMs = 3_000
const sampleMs = 50

/** The memory of a process on either database: without requests, and at most under load. */
export async function memory({ seconds, users }: Extent): Promise<readonly Row[]> {
  const rows: Row[] = []
  const add = (what: string, bytes: number, atMost?: number) => {
    const measure = bytes / 1024 ** 2
    const aim = atMost === undefined ? {} : { aim: { atMost } }
    rows.push({ what, ours: inMegabytes(bytes), measure, unit: ' MB', ...aim })
  }
  const load = 'under load: badges, pages, announcements'
  const onPostgres = await memoryOf({ DATABASE_URL: await copyOfDataSet(users) }, users, seconds)
  add('memory on Postgres, idle', onPostgres.idle, 80)
  add("of it, pages of Bun's own file", onPostgres.ofFile)
  add(`memory on Postgres, ${load}`, onPostgres.most, 200)
  const embedded = await memoryOf({ DATA_DIR: await embeddedDataSet() }, embeddedUsers, seconds)
  add('memory, embedded, idle', embedded.idle)
  add(`memory, embedded, ${load}`, embedded.most, 240)
  return rows
}

/** In bytes. */
async function memoryOf(storage: Storage, users: number, seconds: number) {
  const server = await shipfeed(storage)
  await Bun.sleep(settleMs)
  const idle = residentBytes(server.pid)
  const ofFile = fileBytes(server.pid)
  let most = idle
  const sampling = setInterval(() => {
    most = Math.max(most, residentBytes(server.pid))
  }, sampleMs)
  const all = [badgeRequests(users), feedRequests(), profileRequests(users), announceRequests(users)]
  for (const requests of all) await wrk(server, requests, { seconds })
  clearInterval(sampling)
  await server.stop()
  return { idle, ofFile, most }
}
