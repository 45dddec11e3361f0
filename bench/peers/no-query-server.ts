import { Elysia } from 'elysia'
import type { LatestAnswer } from '../../src/data/badges.ts'
import { badge } from '../../src/web/badge/image.ts'

/**
 * The same answer to every request, a turn of the event loop later: the cost of the route without the database.
 */
const app = new Elysia({ serve: { development: false } }).use(badge({ readLatest }))
app.listen({ hostname: '127.0.0.1', port: 0 })
console.log(`No query at all listens on 127.0.0.1:${app.server?.port}`)

function readLatest(): Promise<LatestAnswer> {
  const now = new Date()
  const answer = { isKnown: true, latest: new Date(now.getTime() - 3_600_000), now }
  return new Promise((resolve) => setImmediate(resolve, answer))
}
