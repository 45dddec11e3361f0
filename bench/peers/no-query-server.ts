import { Elysia } from 'elysia'
import type { LatestAnswer } from '../../src/data/badges.ts'
import { badge } from '../../src/web/badge/image.ts'

/**
 * The same answer to everybody, a turn of the event loop later: what the route costs but for the database.
 */
const app = new Elysia({ serve: { development: false } }).use(badge({ readLatest }))
app.listen({ hostname: '127.0.0.1', port: 0 })
console.log(`No query at all listens on 127.0.0.1:${app.server?.port}`)

function readLatest(): Promise<LatestAnswer> {
  const now = new Date()
  const answer = { isKnown: true, latest: new Date(now.getTime() - 3_600_000), now }
  return new Promise((resolve) => setImmediate(resolve, answer))
}
