import { Elysia } from 'elysia'
import { readNewest } from '../data/soundness.ts'
import { type Db, type Lack, lacking } from '../database/db.ts'
import { textHeaders } from '../http/headers.ts'

/** Shorter outages are not reported: every process would fail at once, and a balancer would serve nothing. */
const graceMs = 15_000
/** During such an outage, the check answers after at most this long: some balancers wait only half a second. */
const maxWaitMs = 200

/** GET /healthz: the process is alive. GET /readyz: it reached the database recently and is not shutting down. */
export function health({ db, isDraining }: { readonly db: Db; readonly isDraining: () => boolean }) {
  let reachedAt = Number.NEGATIVE_INFINITY
  let asking: ReturnType<typeof lacking> | null = null

  return new Elysia({ name: 'health' })
    .get('/healthz', () => new Response('alive\n', { headers: textHeaders }))
    .get('/readyz', async () => {
      if (isDraining()) return notReady('draining')
      const asked = ask()
      const part = await (wasReached() ? Promise.race([asked, Bun.sleep(maxWaitMs).then(() => null)]) : asked)
      if (part !== null && !wasReached()) return notReady(part)
      return new Response('ready\n', { headers: textHeaders })
    })

  /** Concurrent checks share one statement. */
  function ask(): ReturnType<typeof lacking> {
    asking ??= lacking(db, readNewest).then((part) => {
      asking = null
      if (part === null) reachedAt = performance.now()
      return part
    })
    return asking
  }

  function wasReached(): boolean {
    return performance.now() - reachedAt < graceMs
  }
}

function notReady(part: 'draining' | NonNullable<Lack>): Response {
  return new Response(`not ready: ${part}\n`, {
    status: 503,
    headers: { ...textHeaders, 'Retry-After': '2' },
  })
}
