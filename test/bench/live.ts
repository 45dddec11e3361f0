import { copyOfDataSet } from './data-sets/postgres.ts'
import { type Crowd, gather } from './live/crowd.ts'
import { type FanOut, fanOut } from './live/fan-out.ts'
import { residentBytes, type Server, startServer, stopAll } from './processes.ts'
import { percentile } from './rounds.ts'
import { shipfeed } from './servers.ts'
import { inMs, machine, type Row, ratioOf, table } from './table.ts'

const watchers = 10_000
const warmUp = 20
/** What is left over from connecting is given back after a while. */
const settleMs = 3_000

await main(process.argv.includes('--quick') ? 30 : 200).finally(stopAll)
process.exit(0)

async function main(rounds: number): Promise<void> {
  const storage = { DATABASE_URL: await copyOfDataSet(10_000) }
  const unlimited = { STREAMS_PER_ADDRESS: String(watchers), STREAMS_MAX: String(watchers) }
  const service = await shipfeed(storage, unlimited)
  const quiet = await shipfeed(storage)
  const program = new URL('live/websocket-server.ts', import.meta.url).pathname
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
  console.log(`${await machine()}\n\n${table([memoryRow(watched, webSockets), ...timeRows(measured)])}`)
}

/** A server's crowd, and the memory that it takes there, in bytes a watcher. */
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
    what: `memory a watcher, of ${watchers.toLocaleString('en')}; beside WebSockets`,
    ours: inKilobytes(watched.bytesEach),
    peer: inKilobytes(webSockets.bytesEach),
    ratio: ratioOf(watched.bytesEach, webSockets.bytesEach),
    aim: '≤ 6 KB',
  }
}

function timeRows(measured: readonly FanOut[]): Row[] {
  const at = (name: keyof FanOut, part: number) =>
    percentile(
      measured.map((times) => times[name]),
      part,
    )
  const row = (
    what: string,
    ours: keyof FanOut,
    peer: keyof FanOut,
    part: number,
    aim: string | null,
  ): Row => ({
    what,
    ours: inMs(at(ours, part)),
    peer: inMs(at(peer, part)),
    ratio: ratioOf(at(ours, part), at(peer, part)),
    aim,
  })
  const toLast = 'from POST to the last watcher; beside `publish` of WebSockets'
  const posts = 'POST while events are sent to all; beside one to an idle process'
  return [
    row(`${toLast}, median`, 'toLast', 'toLastWebSocket', 0.5, '≤ 1.5'),
    row(`${toLast}, p95`, 'toLast', 'toLastWebSocket', 0.95, null),
    row(`${posts}, p50`, 'busyPost', 'idlePost', 0.5, null),
    row(`${posts}, p99`, 'busyPost', 'idlePost', 0.99, '≤ 2'),
  ]
}
