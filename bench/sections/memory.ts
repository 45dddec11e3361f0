import { copyOfDirectory } from '../data-sets/local.ts'
import { copyOfDataSet } from '../data-sets/server.ts'
import { bytesOfPostgres, fileBytes, residentBytes } from '../processes.ts'
import { announceRequests, badgeRequests, feedRequests, profileRequests } from '../requests.ts'
import { type Storage, shipfeed } from '../servers.ts'
import { inMegabytes, type Row } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

/** Memory that was used for starting is returned after a while. */
const settleMs = 3_000
const sampleMs = 50

/** The memory of the service, with that of a Postgres of its own: without requests, and at most under load. */
export async function memory(extent: Extent): Promise<readonly Row[]> {
  const { users } = extent
  const onServer = await memoryOf({ DATABASE_URL: await copyOfDataSet(users) }, extent)
  const local = await memoryOf({ DATA_DIR: await copyOfDirectory(users) }, extent)
  const load = 'under load: badges, pages, announcements'
  return [
    megabytes('memory, Postgres on a server and not counted, idle', onServer.idle, 80),
    megabytes("of it, pages of Bun's own file", onServer.ofFile),
    megabytes(`memory, Postgres on a server and not counted, ${load}`, onServer.most, 200),
    megabytes('memory, local database and its Postgres, idle', local.idle, 110),
    megabytes('of it, Postgres', local.ofPostgres),
    megabytes(`memory, local database and its Postgres, ${load}`, local.most, 180),
  ]
}

/** In bytes. */
async function memoryOf(storage: Storage, { users, seconds }: Extent) {
  const server = await shipfeed(storage)
  const postmaster = 'DATA_DIR' in storage ? server.postmaster : null
  const ofPostgres = () => (postmaster === null ? 0 : bytesOfPostgres(postmaster))
  const held = () => residentBytes(server.pid) + ofPostgres()
  await Bun.sleep(settleMs)
  const idle = { idle: held(), ofFile: fileBytes(server.pid), ofPostgres: ofPostgres() }
  let most = idle.idle
  const sampling = setInterval(() => {
    most = Math.max(most, held())
  }, sampleMs)
  const all = [badgeRequests(users), feedRequests(), profileRequests(users), announceRequests(users)]
  for (const requests of all) await wrk(server, requests, { seconds })
  clearInterval(sampling)
  await server.stop()
  return { ...idle, most }
}

function megabytes(what: string, bytes: number, atMost?: number): Row {
  const aim = atMost === undefined ? {} : { aim: { atMost } }
  return { what, ours: inMegabytes(bytes), measure: bytes / 1024 ** 2, unit: ' MB', ...aim }
}
