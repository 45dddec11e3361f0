import { usedBy } from '../cpu.ts'
import { type Crowd, gather } from '../live/crowd.ts'
import { announce, nextPost } from '../live/posting.ts'
import type { Server } from '../processes.ts'
import type { Found } from './found.ts'

export const mostWatchers = 2_000
const posts = 100

/**
 * One round: the cost of watchers to one process while another one announces, in µs of that process and of Postgres,
 * for a post that no one, one reader or many readers watch, and for opening their streams.
 */
export async function watchAll(announcing: Server, watched: Server): Promise<Found> {
  const found: Record<string, number> = {}
  const spend = async (name: string, times: number, work: () => Promise<unknown>) => {
    const before = usedBy([watched])
    await work()
    const after = usedBy([watched])
    found[`${name} ours`] = (after.own - before.own) / times
    found[`${name} postgres`] = (after.postgres - before.postgres) / times
  }
  const postTo = async (crowd: Crowd | null) => {
    for (let n = 0; n < posts; n++) {
      const post = nextPost()
      await announce(announcing.url, post)
      await crowd?.receive(post).last
    }
  }
  await spend('unheard', posts, () => postTo(null))
  const one = await gather('event-stream', watched.url, 1)
  await spend('heard', posts, () => postTo(one))
  await one.leave()
  let many: Crowd | null = null
  await spend('opened', mostWatchers, async () => {
    many = await gather('event-stream', watched.url, mostWatchers)
  })
  await spend('sent', posts, () => postTo(many))
  await (many as Crowd | null)?.leave()
  return found
}

/** The cost of each notification to a process with watchers, and of each watcher. */
export function watchingCosts(found: Found) {
  const of = (name: string) => found[name] ?? Number.NaN
  return {
    bell: {
      ours: Math.max(0, of('heard ours') - of('unheard ours')),
      postgres: Math.max(0, of('heard postgres') - of('unheard postgres')),
    },
    opened: { ours: of('opened ours'), postgres: of('opened postgres') },
    event: (of('sent ours') - of('heard ours')) / mostWatchers,
  }
}
