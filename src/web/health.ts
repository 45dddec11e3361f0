import { sql } from 'drizzle-orm'
import { Elysia } from 'elysia'
import type { Db } from '../data/database.ts'
import { textHeaders } from './headers.ts'

/** GET /healthz: the process is alive; GET /readyz: it can reach the database too. */
export function health({ db }: { db: Db }) {
  return new Elysia({ name: 'health' })
    .get('/healthz', () => new Response('alive\n', { headers: textHeaders }))
    .get('/readyz', async () => {
      const isReady = await db
        .run((queries) => queries.execute(sql`select 1`))
        .then(
          () => true,
          () => false,
        )
      return isReady
        ? new Response('ready\n', { headers: textHeaders })
        : new Response('database unreachable\n', {
            status: 503,
            headers: { ...textHeaders, 'Retry-After': '2' },
          })
    })
}
