import { sql } from 'drizzle-orm'
import { before, deadlineMs } from '../guard.ts'
import { poolSettings } from '../session-settings.ts'
import { type Connect, openTwo } from './connect.ts'
import type { Connection } from './connection.ts'

/** How often the two are asked, where the server itself answers and where a pooler does. */
const looks = { direct: 4, pooled: 24 } as const
/** Who is too far away to be asked so often in this time, is not known to keep its sessions. */
const longestMs = 2_000

/**
 * Whether a connection is one session of the server. A pooler in transaction mode gives each statement any of
 * its own, so settings, prepared statements and bells get lost. Of two connections, one and then the other is
 * asked which process answers it: that must never change, and never be that of the other one. By lot, so that
 * a pooler which takes turns is found out, too, and often, since others may be busy on it.
 *
 * Leaves no trace in any session. What it cannot tell is false.
 */
export async function keepsItsSession(connect: Connect): Promise<boolean> {
  const open = () => connect(poolSettings, { isShared: true })
  const [first, second] = await openTwo(open, open)
  const until = performance.now() + longestMs
  try {
    const [one, other] = [await look(first), await look(second)]
    if (one.process === other.process) return false
    // A pooler has keys of its own, as it does not know yet which session a connection will get.
    const isPooled = one.key !== one.process || other.key !== other.process
    for (let left: number = isPooled ? looks.pooled : looks.direct; left > 0; left -= 1) {
      if (performance.now() > until) return false
      const [asked, known] = Math.random() < 0.5 ? [first, one] : [second, other]
      if ((await look(asked)).process !== known.process) return false
    }
    return true
  } finally {
    first.end()
    second.end()
  }
}

/** Which process of the server answers, and which one the key is for that a connection got at its beginning. */
async function look({ queries, end }: Connection): Promise<{ process: number; key: number }> {
  const asking = queries.execute(sql`select pg_backend_pid() as pid`)
  const answer = (await before(performance.now() + deadlineMs, asking, end)) as unknown as Answer
  return { process: answer[0].pid, key: answer.state.pid }
}

/** Of the driver. */
type Answer = readonly [{ readonly pid: number }] & { readonly state: { readonly pid: number } }
