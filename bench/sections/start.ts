import { embeddedDataSet } from '../data-sets/embedded.ts'
import { postgresDataSet } from '../data-sets/postgres.ts'
import { percentile } from '../rounds.ts'
import { type Storage, shipfeed } from '../servers.ts'
import { inMs, type Row } from '../table.ts'
import type { Extent } from './section.ts'

const first = [
  ['badge', '/badge/u1.svg'],
  ['feed page', '/'],
  ['profile page', '/u1'],
] as const

/** The first badge and the first pages after a start, each asked once it says that it is ready. */
export async function start({ rounds, users }: Extent): Promise<readonly Row[]> {
  const storages: readonly (readonly [string, Storage])[] = [
    ['on Postgres', { DATABASE_URL: await postgresDataSet(users) }],
    ['embedded', { DATA_DIR: await embeddedDataSet() }],
  ]
  const took = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [where, storage] of storages) {
      const server = await shipfeed(storage)
      for (const [what, path] of first) {
        const beganAt = performance.now()
        await (await fetch(server.url + path)).arrayBuffer()
        const name = `first ${what} after a start, ${where}`
        // The first round reads the program and the data from the disk.
        if (round > 0) took.set(name, [...(took.get(name) ?? []), performance.now() - beganAt])
      }
      await server.stop()
    }
  }
  return [...took].map(([what, times]) => {
    const median = percentile(times, 0.5)
    return { what, ours: inMs(median), measure: median, unit: ' ms', aim: { atMost: 50 } }
  })
}
