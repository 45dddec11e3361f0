import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import type { LiveAnswer } from '../../src/data/badges/environments.ts'
import type { LatestQuestion } from '../../src/data/badges/latest.ts'
import type { ReleaseAnswer } from '../../src/data/badges/releases.ts'
import { inMs, nowInMs, rowsOf } from '../../src/database/db.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { badge } from '../../src/web/badge/image.ts'

type Row = { latest_ms: number | null; now_ms: number }

const db = await openPostgres(process.env.DATABASE_URL ?? '')
await db.migrated
const app = new Elysia({ serve: { development: false } }).use(
  badge({ read: { latest: read, newest: read, release: read, live: read } }),
)
app.listen({ hostname: '127.0.0.1', port: 0 })
console.log(`One query a request listens on 127.0.0.1:${app.server?.port}`)

/** The same query as ours, for one question alone. */
async function read({ username, scope }: LatestQuestion): Promise<ReleaseAnswer & LiveAnswer> {
  const [row] = await db.write((queries) =>
    rowsOf<Row>(
      queries,
      sql`
        select ${inMs(sql`l.deployed_at`)} as latest_ms, ${nowInMs} as now_ms
        from users u
        left join latest_deployments l on l.user_id = u.id and l.scope = ${scope}
        where u.username = ${username}`,
    ),
  )
  const latest = row?.latest_ms ?? null
  return {
    isKnown: row !== undefined,
    latest: latest === null ? null : new Date(latest),
    version: null,
    live: [],
    order: null,
    now: new Date(row?.now_ms ?? 0),
  }
}
