import { copyOfDataSet } from '../data-sets/server.ts'
import { type Crowd, gather } from '../live/crowd.ts'
import { type FanOut, fanOut } from '../live/fan-out.ts'
import { residentBytes, type Server, startServer } from '../processes.ts'
import { percentile } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { type Aim, inMs, type Row } from '../table.ts'
import type { Extent } from './section.ts'

const watchers = 10_000
const warmUp = 20
/** Memory that was used for connecting is returned after a while. */
const settleMs = 3_000

/** 10,000 watchers, and equally many WebSockets. */
export async function live({ rounds: few }: Extent): Promise<readonly Row[]> {
  const rounds = few * 20
  const storage = { DATABASE_URL: await copyOfDataSet(91) }
  const unlimited = { STREAMS_PER_ADDRESS: String(watchers), STREAMS_MAX: String(watchers) }
  const service = await shipfeed(storage, unlimited)
  const quiet = await shipfeed(storage)
  const program = new URL('../live/websocket-server.ts', import.meta.url).pathname
  const webSocketServer = await startServer([process.execPath, program])

  console.error(`Opening ${watchers} feeds and as many WebSockets …`)
  const watched = await grow(service, () => gather('event-stream', service.url, watchers))
  const webSockets = await grow(webSocketServer, () => gather('websocket', webSocketServer.url, watchers))
  console.error(`Measuring ${rounds} rounds …`)
  const stage = { watched, quietUrl: quiet.url, webSockets }
  const measured: FanOut[] = []
  for (let round = -warmUp; round < rounds; round++) {
    const times = await fanOut(stage)
    if (round >= 0) measured.push(times)
  }
  await Promise.all([watched.crowd.leave(), webSockets.crowd.leave()])
  for (const server of [service, quiet, webSocketServer]) await server.stop()
  return [memoryRow(watched, webSockets), ...timeRows(measured)]
}

/** A server's crowd, and the memory that it takes there, in bytes per watcher. */
async function grow(server: Server, gatherAll: () => Promise<Crowd>) {
  await Bun.sleep(settleMs)
  const before = residentBytes(server.pid)
  const crowd = await gatherAll()
  await Bun.sleep(settleMs)
  return { url: server.url, crowd, bytesEach: (residentBytes(server.pid) - before) / watchers }
}

function memoryRow(watched: { bytesEach: number }, webSockets: { bytesEach: number }): Row {
  const inKilobytes = (bytes: number) => `${(bytes / 1024).toFixed(1)} KB`
  return {
    what: `memory a watcher, of ${watchers.toLocaleString('en')}; peer: WebSockets`,
    ours: inKilobytes(watched.bytesEach),
    peer: inKilobytes(webSockets.bytesEach),
    measure: watched.bytesEach / 1024,
    unit: ' KB',
    aim: { atMost: 6 },
  }
}

function timeRows(measured: readonly FanOut[]): Row[] {
  const at = (name: keyof FanOut, part: number) =>
    percentile(
      measured.map((times) => times[name]),
      part,
    )
  const row = (what: string, ours: keyof FanOut, peer: keyof FanOut, part: number, aim?: Aim): Row => ({
    what,
    ours: inMs(at(ours, part)),
    peer: inMs(at(peer, part)),
    measure: at(ours, part) / at(peer, part),
    ...(aim === undefined ? {} : { aim }),
  })
  const toLast = 'from POST to the last watcher; peer: `publish` of WebSockets'
  const posts = 'POST while events are sent to all; peer: one to an idle process'
  return [
    row(`${toLast}, median`, 'toLast', 'toLastWebSocket', 0.5, { atMost: 1.5 }),
    row(`${toLast}, p95`, 'toLast', 'toLastWebSocket', 0.95),
    row(`${posts}, p50`, 'busyPost', 'idlePost', 0.5),
    row(`${posts}, p99`, 'busyPost', 'idlePost', 0.99, { atMost: 2 }),
  ]
}
