import { Elysia } from 'elysia'
import { eventLog } from '../../data/event-log.ts'
import type { Db } from '../../database/db.ts'
import { share } from '../../database/share.ts'
import type { ClientAddress } from '../../http/client-address.ts'
import { frame, madeOnce, opening } from '../../http/event-frame.ts'
import type { EventStreams } from '../../http/event-streams.ts'
import { anyOrigin, eventStreamHeaders } from '../../http/headers.ts'
import { readPosition } from '../../http/query.ts'
import type { LiveFeed } from '../../live/live-feed.ts'
import type { FeedMessage } from '../../live/watcher.ts'
import { noPlace } from '../no-place.ts'
import { readFilter } from '../read-filter.ts'
import { DeploymentStream, type Part } from './deployment-stream.ts'
import { listedRecordOf } from './record.ts'

type Options = {
  db: Db
  baseUrl: string
  liveFeed: LiveFeed
  streams: EventStreams
  clientAddress: ClientAddress
}

/** Few enough to be sent without overfilling a stream. */
const pageSize = 100

/** GET /api/deployments/live: the feed as an event stream of JSON, from any event on. */
export function liveDeployments({ db, baseUrl, liveFeed, streams, clientAddress }: Options) {
  const log = eventLog(db)
  const readPage = share(({ filter, after }: Part) => log.readAfter(filter, after, pageSize))
  const frameOf = madeOnce((message: FeedMessage) => frameFor(message, baseUrl))

  return new Elysia({ name: 'live-deployments' }).get(
    '/api/deployments/live',
    async ({ query, request, server }) => {
      const filter = await readFilter(db, query)
      const after = readPosition(request.headers.get('last-event-id')) ?? readPosition(query.after)
      const stream = streams.open({ address: clientAddress(request, server), request, server })
      if (stream === null) throw noPlace('streams are open', streams.isFull)
      await new DeploymentStream({ liveFeed, readPage, frameOf, stream, filter }, after).begin()
      return new Response(stream.body, { headers: { ...eventStreamHeaders, ...anyOrigin } })
    },
  )
}

function frameFor(message: FeedMessage, baseUrl: string): Uint8Array {
  switch (message.kind) {
    case 'position':
      return opening(message.id)
    case 'announced':
      return frame({
        id: message.id,
        event: 'deployment',
        data: JSON.stringify(listedRecordOf(message.deployment, baseUrl)),
      })
    case 'withdrawn':
      return frame({
        id: message.id,
        event: 'withdrawn',
        data: JSON.stringify({ id: message.deploymentId }),
      })
    case 'account_deleted':
      return frame({
        id: message.id,
        event: 'account_deleted',
        data: JSON.stringify({ username: message.username }),
      })
    default:
      return frame({ event: message.kind, data: '' })
  }
}
