import { Elysia } from 'elysia'
import type { LiveAnswer } from '../../src/data/badges/environments.ts'
import type { ReleaseAnswer } from '../../src/data/badges/releases.ts'
import { badge } from '../../src/web/badge/image.ts'

/**
 * The same answer to every request, a turn of the event loop later: the cost of the route without the database.
 */
const app = new Elysia({ serve: { development: false } }).use(
  badge({ read: { latest: read, newest: read, release: read, live: read } }),
)
app.listen({ hostname: '127.0.0.1', port: 0 })
console.log(`No query at all listens on 127.0.0.1:${app.server?.port}`)

function read(): Promise<ReleaseAnswer & LiveAnswer> {
  const now = new Date()
  const answer = { isKnown: true, latest: new Date(now.getTime() - 3_600_000), version: null, live: [], now }
  return new Promise((resolve) => setImmediate(resolve, answer))
}
