import { Elysia } from 'elysia'
import { type Db, lacking } from '../database/db.ts'
import { textHeaders } from '../http/headers.ts'

/**
 * Outages shorter than this do not count: a balancer would take out every process, badges and docs included.
 */
const blinkMs = 15_000
/** Meanwhile a balancer that gives its check half a second has to hear that the process is there. */
const patienceMs = 200

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
      const asked = ask()
      const part = await (wasReached()
        ? Promise.race([asked, Bun.sleep(patienceMs).then(() => null)])
        : asked)
      return part === null || wasReached()
        ? new Response('ready\n', { headers: textHeaders })
        : notReady(part)
    })

  async function ask(): ReturnType<typeof lacking> {
    const part = await lacking(db)
    if (part === null) reachedAt = performance.now()
    return part
  }

  function wasReached(): boolean {
    return performance.now() - reachedAt < blinkMs
  }
}

function notReady(part: 'draining' | 'database' | 'migrations'): Response {
  return new Response(`not ready: ${part}\n`, {
    status: 503,
    headers: { ...textHeaders, 'Retry-After': '2' },
  })
}
