// `bun bench/versions.ts FOLDER`: this version beside another one, a checkout with its packages in this folder. Each has
// a database of its own, in a DATA_DIR that the run makes and that both fill alike.

import { join } from 'node:path'
import { signUpPoster } from '../test/support/people.ts'
import { doorOf } from '../test/support/process.ts'
import { stopCluster } from './cluster.ts'
import { newDirectory } from './data-sets/local.ts'
import { bytesOfPostgres, residentBytes, type Server, stopAll } from './processes.ts'
import { alternate, percentile } from './rounds.ts'
import { shipfeed } from './servers.ts'
import { inMegabytes, inMs, machine, type Row, rates, tableHead, tableRows } from './table.ts'
import { requestFile, requireWrk, wrk } from './wrk.ts'

/** As many as may sign up from one address. */
const posters = 20
const rounds = 5
const seconds = 3
/** Memory that was used for starting is returned after a while. */
const settleMs = 3_000
const sampleMs = 50

const names = ['ours', 'other'] as const
type Name = (typeof names)[number]
type Pair<T> = Record<Name, T>

const [other] = process.argv.slice(2)
if (other === undefined) {
  console.error('bun bench/versions.ts FOLDER')
  process.exit(1)
}
requireWrk()
const roots: Pair<string> = { ours: join(import.meta.dir, '..'), other }
const folders: Pair<string> = { ours: newDirectory('ours'), other: newDirectory('other') }
try {
  console.log(`${await machine()}\n\n${tableHead}`)
  console.log(tableRows(await starts()))
  console.log(tableRows(await loads()))
} finally {
  stopAll()
  await stopCluster()
  // The connection that told the version of Postgres may still be open.
  process.exit()
}

/** First pages, of new databases and of those that are there. */
async function starts(): Promise<readonly Row[]> {
  const times = { ofNew: { ours: [], other: [] }, later: { ours: [], other: [] } } as Record<
    'ofNew' | 'later',
    Pair<number[]>
  >
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of names) {
      folders[name] = newDirectory(name)
      const pages = { ofNew: await firstPage(name), later: await firstPage(name) }
      // The first round reads the programs from the disk.
      if (round > 0) for (const kind of ['ofNew', 'later'] as const) times[kind][name].push(pages[kind])
    }
  }
  return [
    milliseconds('first page of a new database', times.ofNew),
    milliseconds('first page after a later start', times.later),
  ]
}

async function firstPage(name: Name): Promise<number> {
  const beganAt = performance.now()
  const server = await start(name)
  const page = performance.now() - beganAt
  await server.stop()
  return page
}

async function loads(): Promise<readonly Row[]> {
  const servers: Pair<Server> = { ours: await start('ours'), other: await start('other') }
  await Bun.sleep(settleMs)
  const idle = memoryNow(servers)
  const requests = { ours: await requestsOf(servers.ours), other: await requestsOf(servers.other) }
  const most = { ...idle }
  const sampling = setInterval(() => {
    const now = memoryNow(servers)
    for (const name of names) most[name] = Math.max(most[name], now[name])
  }, sampleMs)
  const measured: Row[] = []
  for (const [what, kind, connections] of [
    ['announcement, one at a time', 'announcements', 1],
    ['announcements, 64 at a time', 'announcements', 64],
    ['badge, 64 at a time', 'badges', 64],
    ['profile, 8 at a time', 'profiles', 8],
  ] as const) {
    const of = (name: Name) => () => wrk(servers[name], requests[name][kind], { seconds, connections })
    const figures = await alternate({ ours: of('ours'), other: of('other') }, rounds)
    measured.push(rates(what, figures.ours, figures.other))
  }
  clearInterval(sampling)
  await Promise.all(names.map((name) => servers[name].stop()))
  return [...measured, megabytes('memory in all, idle', idle), megabytes('memory in all, under load', most)]
}

async function start(name: Name): Promise<Server> {
  return await shipfeed({ DATA_DIR: folders[name] }, {}, roots[name])
}

/** The requests of people who have just signed up, in files of their own, since the tokens differ. */
async function requestsOf(server: Server) {
  const people = []
  for (let n = 1; n <= posters; n += 1) {
    people.push(await signUpPoster(doorOf(server.url), { username: `poster-${n}` }))
  }
  const file = (kind: string, all: Parameters<typeof requestFile>[1]) =>
    requestFile(`${kind}-${server.pid}`, all)
  return {
    announcements: file(
      'announcements',
      people.map(({ username, token }) => ({
        path: '/api',
        token,
        body: { message: 'Deployed the shop', url: `https://github.com/${username}/shop/releases/tag/v1` },
      })),
    ),
    badges: file(
      'badges',
      people.map(({ username }) => ({ path: `/badge/${username}.svg` })),
    ),
    profiles: file(
      'profiles',
      people.map(({ username }) => ({ path: `/${username}` })),
    ),
  }
}

function memoryNow(servers: Pair<Server>): Pair<number> {
  const of = ({ pid, postmaster }: Server) =>
    residentBytes(pid) + (postmaster === null ? 0 : bytesOfPostgres(postmaster))
  return { ours: of(servers.ours), other: of(servers.other) }
}

function milliseconds(what: string, times: Pair<number[]>): Row {
  const [ours, peer] = [percentile(times.ours, 0.5), percentile(times.other, 0.5)]
  return { what, ours: inMs(ours), peer: inMs(peer), measure: ours / peer }
}

function megabytes(what: string, { ours, other }: Pair<number>): Row {
  return { what, ours: inMegabytes(ours), peer: inMegabytes(other), measure: ours / other }
}
