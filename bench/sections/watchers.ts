import { openFilesLimit } from '../../src/open-files-limit.ts'
import { copyOfDataSet } from '../data-sets/server.ts'
import { gather } from '../live/crowd.ts'
import { residentBytes, type Server } from '../processes.ts'
import { announceRequests } from '../requests.ts'
import { alternate } from '../rounds.ts'
import { shipfeed } from '../servers.ts'
import { type Row, rounded } from '../table.ts'
import { wrk } from '../wrk.ts'
import type { Extent } from './section.ts'

const wanted = 50_000
const profiles = 1_000
/** A process of watchers holds this many, and connects to a loopback address of its own, which has its own ports. */
const inOneProcess = 10_000
/** Each watcher is an open file of the service, and these are for everything else. */
const otherFiles = 1_000
/** Memory that was used for connecting is returned after a while. */
const settleMs = 5_000

/** Announcements to one profile while 50,000 watch a thousand of them, or as many as "ulimit -n" allows. */
export async function watchers({ seconds, rounds }: Extent): Promise<readonly Row[]> {
  const allowed = (openFilesLimit() ?? Number.POSITIVE_INFINITY) - otherFiles
  const most = Math.min(wanted, Math.floor(allowed / profiles) * profiles)
  const settings = { STREAMS_PER_ADDRESS: String(most), STREAMS_MAX: String(most), HOST: '0.0.0.0' }
  const [large, small] = [await watched(settings), await watched(settings)]
  // The first ones take memory for compiled code, which later ones share.
  await (await gather('event-stream', large.url, profiles, profiles)).leave()
  await Bun.sleep(settleMs)
  const before = residentBytes(large.pid)
  const crowds = [await gather('event-stream', small.url, most / profiles, 1)]
  for (let held = 0; held < most; held += inOneProcess) {
    const url = large.url.replace('127.0.0.1', `127.0.0.${crowds.length}`)
    crowds.push(await gather('event-stream', url, Math.min(inOneProcess, most - held), profiles))
  }
  await Bun.sleep(settleMs)
  const bytesEach = (residentBytes(large.pid) - before) / most
  const requests = announceRequests(1)
  const alone = { seconds, connections: 1 }
  const measured = await alternate(
    { large: () => wrk(large, requests, alone), small: () => wrk(small, requests, alone) },
    rounds,
  )
  for (const crowd of crowds) await crowd.leave()
  for (const server of [large, small]) await server.stop()
  const [ours, peer] = [measured.large.cpu, measured.small.cpu]
  const held = most.toLocaleString('en')
  return [
    {
      what: `memory a watcher, of ${held}`,
      ours: `${rounded(bytesEach / 1024)} KB`,
      measure: bytesEach / 1024,
      unit: ' KB',
      aim: { atMost: 5 },
    },
    {
      what: `announcement to one of ${profiles.toLocaleString('en')} profiles that ${held} watch, CPU; peer: ${most / profiles} watchers in all`,
      ours: `${rounded(ours.own ?? Number.NaN)} µs`,
      peer: `${rounded(peer.own ?? Number.NaN)} µs`,
      cpu: { ours, peer },
      measure: (ours.own ?? Number.NaN) / (peer.own ?? Number.NaN),
      aim: { atMost: 1.2 },
    },
  ]
}

async function watched(settings: Record<string, string>): Promise<Server> {
  return await shipfeed({ DATABASE_URL: await copyOfDataSet(profiles) }, settings)
}
