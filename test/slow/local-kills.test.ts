import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { findMiscounts } from '../../src/data/miscounts.ts'
import { rowsOf } from '../../src/database/db.ts'
import { eventually } from '../support/eventually.ts'
import { connectTo } from '../support/local/database.ts'
import { childrenOf, commandOf, processesOn, serversOn } from '../support/local/machine.ts'
import { signUpPoster } from '../support/people.ts'
import { startLoad } from '../support/postgres/load.ts'
import { endOf, freePort, type Process, startProcess, temporaryDirectory } from '../support/process.ts'

const kills = 50
/** A kill comes at a random moment within this time after all serve again. */
const servingMs = 500
/** Every fifth kill is followed by another one, at a random moment of the way back. */
const comingBackMs = 2_000
/** One that is refused because of another one, and a part of a killed one, end within this time. */
const lookEveryMs = 100
/** More than are under way at the moment of a kill, so that some of them were begun after it. */
const enough = 20

const directory = temporaryDirectory()
afterAll(directory.remove)
const DATA_DIR = join(directory.path, 'data')
const PORT = String(freePort())

let service: Process

/** Whom a kill hits: the service, its Postgres, both, or a process of that Postgres. */
const victims: readonly (() => readonly number[])[] = [
  () => [service.child.pid],
  () => serversOn(DATA_DIR),
  () => [service.child.pid, ...serversOn(DATA_DIR)],
  () => serversOn(DATA_DIR).flatMap(backendsOf).toSorted(randomly).slice(0, 1),
]

/** Two minutes are enough on a quiet machine. */
const timeoutMs = 600_000

test(
  `${kills} kills under load lose nothing, leave nothing twice, and never let two Postgres run on one folder`,
  async () => {
    service = startProcess({ DATA_DIR, PORT })
    await service.url
    const posters = await Promise.all(Array.from({ length: 4 }, () => signUpPoster({ fetch: comeBack })))
    const load = startLoad([{ fetch: comeBack }], posters)
    let isOver = false
    let maxServers = 0
    const watching = (async () => {
      for (let before = serversOn(DATA_DIR); !isOver; ) {
        await Bun.sleep(lookEveryMs)
        const now = serversOn(DATA_DIR)
        maxServers = Math.max(maxServers, now.filter((pid) => before.includes(pid)).length)
        before = now
      }
    })()
    await serving()

    for (let n = 0; n < kills; n += 1) {
      await Bun.sleep(Math.random() * servingMs)
      const kill = victims[n % victims.length] as (typeof victims)[number]
      await eventually('there is one to kill', () => kill().length > 0)
      await hit(kill())
      if (n % 5 === 0) {
        await Bun.sleep(Math.random() * comingBackMs)
        await hit(victims.toSorted(randomly)[0]?.() ?? [])
      }
      await serving()
    }

    await load.stop()
    isOver = true
    await watching
    expect([load.wrong, load.unexpected]).toEqual([[], []])
    expect(maxServers).toBe(1)
    using connection = await connectTo(DATA_DIR)
    const rows = await rowsOf<{ id: number; message: string }>(
      connection.queries,
      sql`select id, message from deployments`,
    )
    const stored = new Map(rows.map(({ id, message }) => [message, id]))
    expect([...load.acknowledged].filter(([message, id]) => stored.get(message) !== id)).toEqual([])
    // Every announcement that was begun is acknowledged by now.
    expect(rows.length).toBe(load.acknowledged.size)
    expect(await findMiscounts(connection.queries)).toEqual([])
    service.child.kill('SIGTERM')
    expect((await endOf(service)).code).toBe(0)
    expect(processesOn(DATA_DIR)).toEqual([])

    async function serving(): Promise<void> {
      const before = load.acknowledged.size
      await eventually('it serves again', () => load.acknowledged.size >= before + enough).catch((cause) => {
        throw new Error(service.output(), { cause })
      })
    }
  },
  timeoutMs,
)

async function hit(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
  if (!pids.includes(service.child.pid)) return
  await endOf(service)
  service = startProcess({ DATA_DIR, PORT })
}

/** Those that serve the service. While it starts and recovers, any other. */
function backendsOf(server: number): readonly number[] {
  const children = childrenOf(server)
  const ours = children.filter((pid) => commandOf(pid).includes('postgres: shipfeed'))
  return ours.length > 0 ? ours : children
}

function randomly(): number {
  return Math.random() - 0.5
}

/** A request to a service that is killed meanwhile has no answer, or a part of one, and may be repeated. */
async function comeBack(path: string, init?: RequestInit): Promise<Response> {
  try {
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, { redirect: 'manual', ...init })
    return new Response(await response.arrayBuffer(), response)
  } catch {
    return Response.json({}, { status: 503, headers: { 'Retry-After': '1' } })
  }
}
