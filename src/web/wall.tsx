import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { listDeployments } from '../data/deployments.ts'
import { latestTargets, tallyReader } from '../data/wall.ts'
import type { Db } from '../database/db.ts'
import type { FeedFilter } from '../domain/feed.ts'
import { refuseOthers, usernameIn } from '../http/query-parameters.ts'
import { pageResponder } from '../http/responses.ts'
import type { WallPart } from '../views/page/address.ts'
import type { Site } from '../views/page/site.ts'
import { WallPage } from '../views/wall/wall-page.tsx'
import { readFilter } from './lists/part.ts'

/** How many deployments are shown: the latest, and six with one line each. */
const shown = 7
/** A part of the feed is read at most this often, however many walls show it. */
const everyMs = 2_000

/** GET /wall: a part of the feed for a screen on a wall. */
export function wall({ db, site }: { db: Db; site: Site }) {
  const readTally = tallyReader(db)

  const readPage = recently(everyMs, async ({ filter, part }: { filter: FeedFilter; part: WallPart }) => {
    const [list, targets, tally] = await Promise.all([
      listDeployments(db, { ...filter, after: 0, before: null, limit: shown }),
      latestTargets(db, filter),
      readTally(filter),
    ])
    return pageResponder(<WallPage site={site} part={part} {...list} targets={targets} tally={tally} />)
  })

  return new Elysia({ name: 'wall' }).get('/wall', async ({ query, request }) => {
    refuseOthers(query, 'A wallboard', ['user', 'target', 'category', 'env'])
    const filter = await readFilter(db, query)
    const { scope: target, category, environment } = filter
    const username = filter.userId === null ? null : usernameIn(query.user ?? '')
    const answer = await readPage({ filter, part: { username, target, category, environment } })
    return answer(request)
  })
}

/** How many answers are kept. */
const mostKept = 100

/**
 * Caches the answers of a function for some time, failures included. For data that many screens show and that
 * may be slightly old. Questions are equal if their JSON is.
 */
export function recently<Question, Answer>(
  forMs: number,
  ask: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const kept = new Map<string, { readonly answer: Promise<Answer>; readonly until: number }>()

  return (question) => {
    const key = JSON.stringify(question)
    const known = kept.get(key)
    if (known !== undefined && performance.now() < known.until) return known.answer
    const answer = ask(question)
    kept.delete(key)
    kept.set(key, { answer, until: performance.now() + forMs })
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return answer
  }
}
