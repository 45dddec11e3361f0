// `bun bench/pooler.ts [rounds]`: badges and announcements through a pgbouncer in transaction mode, compared with
// none, in turn for a second each: the CPU time of our process and of Postgres, and the duration of each call.
// Medians of the rounds.

import { untilReady } from '../test/support/eventually.ts'
import { signUpPoster } from '../test/support/people.ts'
import { startPostgresCluster } from '../test/support/postgres/cluster.ts'
import { startPgbouncer } from '../test/support/postgres/pgbouncer.ts'
import { doorOf, startProcess } from '../test/support/process.ts'
import { usedByPostgres } from './cpu.ts'
import { percentile } from './rounds.ts'

type Figures = { readonly own: number; readonly postgres: number; readonly ms: number }

const [rounds = 3] = process.argv.slice(2).map(Number)
const secondMs = 1_000
const together = 32

const cluster = await startPostgresCluster()
const pooler = await startPgbouncer(cluster.url, 'transaction')
const services = Object.entries({ direct: cluster.url, pooled: pooler.url }).map(([name, url]) => ({
  name,
  ...startProcess({ DATABASE_URL: url, DATABASE_LISTEN_URL: cluster.url, LOG_LEVEL: 'error' }),
}))
const found = new Map<string, Figures[]>()
try {
  for (let round = 0; round <= rounds; round += 1) {
    for (const { name, child, url } of services) {
      const door = doorOf(await url)
      if (round === 0) await untilReady(door)
      const poster = await signUpPoster(door, { username: `${name}-${round}` })
      const headers = { Authorization: `Bearer ${poster.token}` }
      const announcing = { method: 'POST', headers, body: new URLSearchParams({ message: 'Measured' }) }
      const api = `${await url}/api`
      const badge = `${await url}/badge/${poster.username}.svg`
      const measured = {
        badges: await measure(child.pid, together, () => fetch(badge)),
        announcements: await measure(child.pid, together, () => fetch(api, announcing)),
        'announcements one by one': await measure(child.pid, 1, () => fetch(api, announcing)),
      }
      // The first round is to warm up.
      if (round === 0) continue
      for (const [what, figures] of Object.entries(measured)) {
        found.set(`${what}, ${name}`, [...(found.get(`${what}, ${name}`) ?? []), figures])
      }
    }
  }
  for (const [what, all] of found) {
    const median = (of: (figures: Figures) => number) => percentile(all.map(of), 0.5)
    const [own, postgres, ms] = [
      median((one) => one.own),
      median((one) => one.postgres),
      median((one) => one.ms),
    ]
    console.log(`${what}: ${own.toFixed(0)} + ${postgres.toFixed(0)} µs, ${ms.toFixed(2)} ms`)
  }
} finally {
  for (const { child } of services) child.kill('SIGKILL')
  await pooler.stop()
  await cluster.remove()
}

/** Asks for a second, `width` at once: CPU time a request in µs, and the median of how long each takes. */
async function measure(pid: number, width: number, ask: () => Promise<Response>): Promise<Figures> {
  const used = () => [usedByPostgres(pid), usedByPostgres(cluster.pid)] as const
  const [ownBefore, postgresBefore] = used()
  const times: number[] = []
  const until = performance.now() + secondMs
  const worker = async () => {
    while (performance.now() < until) {
      const begunAt = performance.now()
      const response = await ask()
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`It answered ${response.status}`)
      times.push(performance.now() - begunAt)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  const [own, postgres] = used()
  return {
    own: (own - ownBefore) / times.length,
    postgres: (postgres - postgresBefore) / times.length,
    ms: percentile(times, 0.5),
  }
}
