import { Elysia } from 'elysia'
import { type Db, isReachable } from '../database/db.ts'
import { textHeaders } from '../http/headers.ts'

/** GET /healthz: the process is alive; GET /readyz: it can reach the database too. */
export function health({ db }: { db: Db }) {
  return new Elysia({ name: 'health' })
    .get('/healthz', () => new Response('alive\n', { headers: textHeaders }))
    .get('/readyz', async () => {
      return (await isReachable(db))
        ? new Response('ready\n', { headers: textHeaders })
        : new Response('database unreachable\n', {
            status: 503,
            headers: { ...textHeaders, 'Retry-After': '2' },
          })
    })
}
