// `bun bench/upgrade.ts [watchers] [processes] [patient | impatient] [haproxy | nginx | shared]`: what a crowd of
// watchers meets while each process is drained and replaced in turn, behind two proxies as deploy/ has them, or on a
// port that all share (REUSE_PORT).

import { readFileSync } from 'node:fs'
import { fleet } from '../test/support/deploy/fleet.ts'
import { type ProxyName, startProxy } from '../test/support/deploy/proxies.ts'
import { untilReady } from '../test/support/eventually.ts'
import { signUpPoster } from '../test/support/people.ts'
import { startPostgresCluster } from '../test/support/postgres/cluster.ts'
import { freePort } from '../test/support/process.ts'
import { gather, maxWithin, type Returning } from './live/returning-crowd.ts'
import { residentBytes } from './processes.ts'
import { percentile } from './rounds.ts'

const [watchers = 10_000, size = 3] = process.argv.slice(2, 4).map(Number)
const manner = process.argv[4] ?? 'patient'
const way = (process.argv[5] ?? 'haproxy') as ProxyName | 'shared'
/** Two proxies, since one needs two open files for each watcher. */
const publicPorts = way === 'shared' ? [freePort()] : [freePort(), freePort()]
const [address = ''] = publicPorts.map((port) => `http://127.0.0.1:${port}`)
const postEveryMs = 250
const badgeEveryMs = 20
const windowMs = 250
/** After this time, all watchers of a process that ends have left. */
const leavingMs = 9_000
const lookMs = 500
const settleMs = 15_000

const cluster = await startPostgresCluster()
const settings = {
  STREAMS_MAX: String(watchers),
  ...(way === 'shared' ? { REUSE_PORT: 'on', PORT: String(publicPorts[0]) } : { DRAIN_SECONDS: '5' }),
}
const processes = fleet({ size, databaseUrl: cluster.url, address, settings })
const numbers = processes.ports.map((_, n) => n)
await Promise.all(numbers.map(processes.start))
const proxies =
  way === 'shared' ? [] : await Promise.all(publicPorts.map((port) => startProxy(way, port, processes.ports)))
const door = {
  fetch: (path: string, init: RequestInit = {}) => fetch(address + path, { redirect: 'manual', ...init }),
}
const crowds: Returning[] = []
try {
  await untilReady(door)
  await measure()
} finally {
  for (const crowd of crowds) crowd.leave()
  await processes.stop()
  for (const proxy of proxies) await proxy.stop()
  await cluster.remove()
}

async function measure(): Promise<void> {
  const ada = await signUpPoster(door)
  crowds.push(
    ...(await Promise.all(
      publicPorts.map((port) => gather(`http://127.0.0.1:${port}`, watchers / publicPorts.length, manner)),
    )),
  )
  console.log(`${watchers} watchers by ${way}, ${manner}; of each process: ${await share()}`)

  const acknowledged: number[] = []
  const badgeMs: number[] = []
  let failed = 0
  let isOver = false
  const load = [announceOn(), askForBadges()]
  for (const n of numbers) await replace(n)
  isOver = true
  await Promise.all(load)
  // A watcher that has just come back is still being sent what it missed.
  await Bun.sleep(settleMs)

  const told = await Promise.all(crowds.map((crowd) => crowd.tell()))
  const received = new Map<number, number>()
  for (const [id, readers] of told.flatMap(({ received }) => received)) {
    received.set(id, (received.get(id) ?? 0) + readers)
  }
  const missed = acknowledged.reduce((sum, id) => sum + watchers - (received.get(id) ?? 0), 0)
  const twice = told.reduce((sum, { twice }) => sum + twice, 0)
  console.log(`${acknowledged.length} announced; watchers missed ${missed}, received twice ${twice}`)
  console.log(
    `${badgeMs.length} badges, ${failed} failed, p50 ${percentile(badgeMs, 0.5).toFixed(0)} ms, p99 ${percentile(badgeMs, 0.99).toFixed(0)} ms, longest ${Math.max(...badgeMs).toFixed(0)} ms`,
  )

  async function announceOn(): Promise<void> {
    for (let n = 0; !isOver; n += 1) {
      const key = { 'Idempotency-Key': String(n) }
      const response = await ada.announce({ message: `Deployment ${n}` }, key).catch(() => null)
      if (response?.status !== 201) n -= 1
      else acknowledged.push(((await response.json()) as { id: number }).id)
      await Bun.sleep(postEveryMs)
    }
  }

  async function askForBadges(): Promise<void> {
    while (!isOver) {
      const began = performance.now()
      const response = await door.fetch(`/badge/${ada.username}.svg`).catch(() => null)
      await response?.body?.cancel()
      if (response?.status !== 200) failed += 1
      badgeMs.push(performance.now() - began)
      await Bun.sleep(badgeEveryMs)
    }
  }
}

async function replace(n: number): Promise<void> {
  const pid = processes.pidOf(n) ?? 0
  const megabytes = residentBytes(pid) / 1024 ** 2
  const cpu = numbers.map(cpuSeconds)
  const before = await crowdNow()
  const began = performance.now()
  await processes.end(n)
  const endedMs = performance.now() - began
  await processes.start(n)
  const startedMs = performance.now() - began
  let now = await crowdNow()
  // No watcher has left before the drain is over, so all may still be there.
  while (now.open < watchers || performance.now() - began < leavingMs) {
    await Bun.sleep(lookMs)
    now = await crowdNow()
  }
  const returns = now.returns.slice(before.returns.length)
  const busiest = Math.max(
    ...numbers.filter((other) => other !== n).map((other) => cpuSeconds(other) - (cpu[other] ?? 0)),
  )
  const inSeconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  console.log(
    `process ${n}, ${megabytes.toFixed(0)} MB: ended after ${inSeconds(endedMs)}, ready again after ${inSeconds(startedMs)}; ` +
      `${returns.length} returns within ${inSeconds((returns.at(-1) ?? 0) - (returns[0] ?? 0))}, at most ${maxWithin(windowMs, returns)} in ${windowMs} ms, ${now.refused - before.refused} of them refused; ` +
      `CPU of the new one ${cpuSeconds(n).toFixed(1)} s, of another ${busiest.toFixed(1)} s; of each now: ${await share()}`,
  )
}

async function share(): Promise<string> {
  return (await Promise.all(numbers.map((n) => processes.counted(n, 'shipfeed_watchers')))).join(', ')
}

async function crowdNow() {
  const told = await Promise.all(crowds.map((crowd) => crowd.tell()))
  return {
    returns: told.flatMap(({ returns }) => returns).sort((a, b) => a - b),
    refused: told.reduce((sum, { refused }) => sum + refused, 0),
    open: told.reduce((sum, { open }) => sum + open, 0),
  }
}

function cpuSeconds(n: number): number {
  const stat = readFileSync(`/proc/${processes.pidOf(n)}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
