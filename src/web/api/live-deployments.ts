import { Elysia } from 'elysia'
import { eventLog } from '../../data/event-log.ts'
import { workQueue } from '../../data/in-memory-queue.ts'
import { share } from '../../database/batch.ts'
import { gently } from '../../database/pacing.ts'
import { recordOf } from '../../domain/deployment.ts'
import { facetParameters } from '../../domain/feed/facets.ts'
import { eventStreamHeaders, frame, madeOnce, opening } from '../../http/event-stream.ts'
import { anyOrigin } from '../../http/headers.ts'
import { noPermit } from '../../http/permits.ts'
import { readAfter, readKnown } from '../../http/query-parameters.ts'
import { everyPage, type Part } from '../../live/catch-up.ts'
import type { FeedMessage } from '../../live/follower.ts'
import { readPart } from '../lists/part.ts'
import { withSearch } from '../lists/search.ts'
import type { Dependencies } from '../route-dependencies.ts'

/** Small enough to be sent without filling up a stream. */
const pageSize = 100

/** GET /api/deployments/live: the feed as an event stream of JSON, from any event on. */
export function liveDeployments(dependencies: Dependencies) {
  const { db, site, baseUrl, search, liveFeed, streams, clientAddress } = dependencies
  const log = eventLog(db)
  const inTurn = workQueue({ atOnce: 1, waiting: Number.POSITIVE_INFINITY })
  const reading = everyPage({
    readAfter: share(({ filter, after }: Part) => log.readAfter(filter, after, pageSize, 'shared')),
    pageSize,
    // All readers that catch up take turns and leave other requests at least as much time as they take.
    pace: (work) => inTurn(() => gently(work)),
  })
  const taken = withSearch(search, ['user', ...facetParameters, 'target', 'after'])
  const frameOf = madeOnce((message: FeedMessage) => frameFor(message, baseUrl))

  return new Elysia({ name: 'live-deployments' }).get(
    '/api/deployments/live',
    async ({ query, request, server }) => {
      const known = readKnown(query, 'This stream', taken, site.search)
      const after = readAfter(known, request.headers.get('last-event-id'))
      const filter = await readPart(db, search, known)
      const stream = streams.open({ address: clientAddress(request, server), request, server })
      if (stream === null) throw noPermit('streams are open', streams.isFull)
      await liveFeed.follow({ filter, after, frameOf, sink: stream }, reading)
      return new Response(stream.body, { headers: { ...eventStreamHeaders, ...anyOrigin } })
    },
  )
}

function frameFor(message: FeedMessage, baseUrl: string): Uint8Array {
  switch (message.kind) {
    case 'position':
      return opening(message.id)
    case 'announced':
      return framed(message, 'deployment', recordOf(message.deployment, baseUrl))
    case 'withdrawn':
      return framed(message, 'withdrawn', { id: message.deploymentId })
    case 'account_deleted':
      return framed(message, 'account_deleted', { username: message.username })
    default:
      return frame({ event: message.kind, data: '' })
  }
}

function framed({ id }: { readonly id: number }, event: string, data: object): Uint8Array {
  return frame({ id, event, data: JSON.stringify(data) })
}
