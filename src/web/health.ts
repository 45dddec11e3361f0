import { Elysia } from 'elysia'
import { type Db, isReachable } from '../database/db.ts'
import { textHeaders } from '../http/headers.ts'

/**
 * Outages shorter than this do not count: a balancer would take out every process, badges and docs included.
 */
const blinkMs = 15_000

type Options = { readonly db: Db; readonly isDraining: () => boolean }

/**
 * GET /healthz: the process is alive; GET /readyz: it reached the database recently, and is not about to end.
 */
export function health({ db, isDraining }: Options) {
  let reachedAt = Number.NEGATIVE_INFINITY

  return new Elysia({ name: 'health' })
    .get('/healthz', () => new Response('alive\n', { headers: textHeaders }))
    .get('/readyz', async () => {
      if (isDraining()) return notReady('about to end\n')
      if (await isReachable(db)) reachedAt = performance.now()
      return performance.now() - reachedAt < blinkMs
        ? new Response('ready\n', { headers: textHeaders })
        : notReady('database unreachable\n')
    })
}

function notReady(why: string): Response {
  return new Response(why, { status: 503, headers: { ...textHeaders, 'Retry-After': '2' } })
}
