import { usedBy } from '../cpu.ts'
import { gather } from '../live/crowd.ts'
import { announce, nextPost } from '../live/posting.ts'
import type { Server } from '../processes.ts'
import type { Costs } from '../simulate/costs.ts'
import { demandOf } from '../simulate/demand.ts'
import { type Row, rounded } from '../table.ts'
import { type RequestFile, wrk } from '../wrk.ts'
import type { Found } from './found.ts'

const watchers = 1_000
const postEveryMs = 50
const connections = 64
/** The largest difference between a predicted and a measured figure, in %. */
const atMost = 25

const configurations = {
  one: `one process, badges over ${connections} connections`,
  two: `two processes, badges over ${connections} connections, 20 announcements a second, 1,000 watchers`,
} as const

type Name = keyof typeof configurations

/** One round of two real configurations: the rates that they reach, and the cores that they use. */
export async function tryBoth(
  servers: readonly [Server, Server],
  requests: RequestFile,
  seconds: number,
): Promise<Found> {
  const [first] = servers
  const one = await underLoad('one', [first], requests, seconds, () => Promise.resolve(0))
  const crowds = await Promise.all(servers.map(({ url }) => gather('event-stream', url, watchers / 2)))
  const two = await underLoad('two', servers, requests, seconds, () => postFor(servers, seconds))
  for (const crowd of crowds) await crowd.leave()
  return { ...one, ...two }
}

async function underLoad(
  name: Name,
  servers: readonly Server[],
  requests: RequestFile,
  seconds: number,
  post: () => Promise<number>,
): Promise<Found> {
  const before = usedBy(servers)
  const beganAt = performance.now()
  const [{ rate }, posted] = await Promise.all([wrk(servers, requests, { seconds, connections }), post()])
  const after = usedBy(servers)
  const tookUs = (performance.now() - beganAt) * 1e3
  return {
    [`${name} badges`]: (rate * seconds * 1e6) / tookUs,
    [`${name} announcements`]: (posted * 1e6) / tookUs,
    [`${name} ours`]: (after.own - before.own) / tookUs,
    [`${name} postgres`]: (after.postgres - before.postgres) / tookUs,
  }
}

/** Announces at fixed intervals, to each server in turn. */
async function postFor(servers: readonly Server[], seconds: number): Promise<number> {
  const posting: Promise<unknown>[] = []
  const endsAt = performance.now() + seconds * 1_000
  while (performance.now() < endsAt) {
    const server = servers[posting.length % servers.length]
    if (server !== undefined) posting.push(announce(server.url, nextPost()))
    await Bun.sleep(postEveryMs)
  }
  await Promise.all(posting)
  return posting.length
}

/** The prediction of the simulation for these rates, compared with the measurement. */
export function compared(costs: Costs, found: Found): readonly Row[] {
  return (Object.keys(configurations) as Name[]).flatMap((name) => {
    const of = (figure: string) => found[`${name} ${figure}`] ?? Number.NaN
    const processes = name === 'one' ? 1 : 2
    const announcements = of('announcements')
    const load = {
      badges: of('badges'),
      announcements,
      watchers: name === 'one' ? 0 : watchers,
      events: announcements,
    }
    const { ours, primary } = demandOf(load, { processes, standbys: 0 }, costs, connections / processes)
    const row = (whose: string, predicted: number, measured: number): Row => ({
      what: `${configurations[name]}: cores of ${whose} for ${rounded(load.badges)} badges a second, predicted; peer: as measured`,
      ours: rounded(predicted),
      peer: rounded(measured),
      measure: Math.abs(predicted / measured - 1) * 100,
      unit: ' %',
      aim: { atMost },
    })
    return [row('ours', ours, of('ours')), row('Postgres', primary, of('postgres'))]
  })
}
