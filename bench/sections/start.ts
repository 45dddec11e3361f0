import { copyOfDirectory, newDirectory } from '../data-sets/local.ts'
import { serverDataSet } from '../data-sets/server.ts'
import { percentile } from '../rounds.ts'
import { type Storage, shipfeed } from '../servers.ts'
import { inMs, type Row } from '../table.ts'
import type { Extent } from './section.ts'

/** From the start of the process to the first page, in ms. */
const withinMs = { ofNew: 2_000, ofOld: 1_000 } as const
/** For an answer of a service that has just shown its first page. */
const answerMs = 50

/** The first page of a service, and then its first badge and profile. */
export async function start({ rounds, users }: Extent): Promise<readonly Row[]> {
  const onServer = { DATABASE_URL: await serverDataSet(users) }
  const local = { DATA_DIR: await copyOfDirectory(users) }
  const measured: Times[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const fresh = await timesOf({ DATA_DIR: newDirectory() })
    const times = { fresh, local: await timesOf(local), onServer: await timesOf(onServer) }
    // The first round reads the programs and the data from the disk.
    if (round > 0) measured.push(times)
  }
  const row = (what: string, of: (times: Times) => number, atMost: number): Row => {
    const median = percentile(measured.map(of), 0.5)
    return { what, ours: inMs(median), measure: median, unit: ' ms', aim: { atMost } }
  }
  return [
    row('first page of a new local database', ({ fresh }) => fresh.page, withinMs.ofNew),
    row('first page after a start, local database', ({ local }) => local.page, withinMs.ofOld),
    row('first page after a start, on a server', ({ onServer }) => onServer.page, withinMs.ofOld),
    row('then the first badge, local database', ({ local }) => local.badge, answerMs),
    row('then the first badge, on a server', ({ onServer }) => onServer.badge, answerMs),
    row('then the first profile, local database', ({ local }) => local.profile, answerMs),
    row('then the first profile, on a server', ({ onServer }) => onServer.profile, answerMs),
  ]
}

type Times = Readonly<Record<'fresh' | 'local' | 'onServer', Awaited<ReturnType<typeof timesOf>>>>

async function timesOf(storage: Storage) {
  const beganAt = performance.now()
  const server = await shipfeed(storage)
  const page = performance.now() - beganAt
  const badge = await msOf(`${server.url}/badge/u1.svg`)
  const profile = await msOf(`${server.url}/u1`)
  await server.stop()
  return { page, badge, profile }
}

async function msOf(url: string): Promise<number> {
  const askedAt = performance.now()
  await (await fetch(url)).arrayBuffer()
  return performance.now() - askedAt
}
