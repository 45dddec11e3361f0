import { Elysia } from 'elysia'
import { type Db, lacking } from '../database/db.ts'
import { textHeaders } from '../http/headers.ts'

/**
 * Outages shorter than this do not count: a balancer would take out every process, badges and docs included.
 */
const blinkMs = 15_000

type Options = { readonly db: Db; readonly isDraining: () => boolean }

/**
 * GET /healthz: the process is alive; GET /readyz: it reached the database recently, and is not about to end,
 * or which part of it is not ready.
 */
export function health({ db, isDraining }: Options) {
  let reachedAt = Number.NEGATIVE_INFINITY

  return new Elysia({ name: 'health' })
    .get('/healthz', () => new Response('alive\n', { headers: textHeaders }))
    .get('/readyz', async () => {
      if (isDraining()) return notReady('draining')
      const part = await lacking(db)
      const now = performance.now()
      if (part === null) reachedAt = now
      return part === null || now - reachedAt < blinkMs
        ? new Response('ready\n', { headers: textHeaders })
        : notReady(part)
    })
}

function notReady(part: 'draining' | 'database' | 'migrations'): Response {
  return new Response(`not ready: ${part}\n`, {
    status: 503,
    headers: { ...textHeaders, 'Retry-After': '2' },
  })
}
