// `bun bench/shared-port.ts [rounds]`: the requests that are lost while processes that share a port (REUSE_PORT) are
// replaced in turn. Each request for a badge has a connection of its own.

import { fleet } from '../test/support/deploy/fleet.ts'
import { startPostgresCluster } from '../test/support/postgres/cluster.ts'
import { freePort } from '../test/support/process.ts'

const [rounds = 3] = process.argv.slice(2).map(Number)
const visitors = 64
const pauseMs = 500

const cluster = await startPostgresCluster()
const port = freePort()
const address = `http://127.0.0.1:${port}`
const settings = { REUSE_PORT: 'on', PORT: String(port) }
const processes = fleet({ size: 3, databaseUrl: cluster.url, address, settings })
const numbers = processes.ports.map((_, n) => n)
/** How often requests had each outcome. */
const outcomes = new Map<string, number>()
let isOver = false
try {
  await Promise.all(numbers.map(processes.start))
  const visiting = Array.from({ length: visitors }, visit)
  await Bun.sleep(pauseMs)
  console.log(`Badges of each process: ${await badges()}`)
  for (let round = 0; round < rounds; round += 1) for (const n of numbers) await replace(n)
  isOver = true
  await Promise.all(visiting)
  console.log(`${rounds * numbers.length} replaced: ${JSON.stringify(Object.fromEntries(outcomes))}`)
} finally {
  await processes.stop()
  await cluster.remove()
}

async function replace(n: number): Promise<void> {
  await processes.end(n)
  await processes.start(n)
  await Bun.sleep(pauseMs)
}

async function visit(): Promise<void> {
  while (!isOver) {
    const outcome = await ask()
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  }
}

async function ask(): Promise<string> {
  try {
    const response = await fetch(`${address}/badge/nobody.svg`, { keepalive: false })
    await response.arrayBuffer()
    return String(response.status)
  } catch (error) {
    return String((error as { code?: string }).code)
  }
}

async function badges(): Promise<string> {
  return (await Promise.all(numbers.map((n) => processes.counted(n, 'shipfeed_badges_total')))).join(', ')
}
