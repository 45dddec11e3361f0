import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { eventLog } from '../../data/event-log.ts'
import type { Db } from '../../database/db.ts'
import { type FeedFilter, isIn, isSearch, type Search } from '../../domain/feed-event.ts'
import { Places } from '../../http/address-limits.ts'
import type { ClientAddress } from '../../http/client-address.ts'
import type { EventStreams } from '../../http/event-streams.ts'
import { eventStreamHeaders } from '../../http/headers.ts'
import { readPosition, usernameIn } from '../../http/query.ts'
import { fragment } from '../../http/respond.ts'
import { readCatchUp } from '../../live/catch-up.ts'
import type { EventLog } from '../../live/event-log.ts'
import type { LiveFeed } from '../../live/live-feed.ts'
import { type Place, placeOfUser } from '../../views/deployment/entry.tsx'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'
import { underBasePath } from '../../views/page/base-path.ts'
import { noPlace } from '../no-place.ts'
import { readFilter } from '../read-filter.ts'
import { readSearch } from '../read-search.ts'
import { farewellOf } from './farewell.tsx'
import { type FrameOf, framesFor, searchFramesFor } from './frames.tsx'
import { FeedStream } from './stream.ts'

type Options = {
  db: Db
  baseUrl: string
  liveFeed: LiveFeed
  streams: EventStreams
  clientAddress: ClientAddress
}

/** Polls that may be under way. They count by themselves: a page polls when it gets no stream. */
const pollLimits = { perAddress: 30, total: 1_000 }

/** GET /feed/live: the feed as an event stream, or as HTML fragments for pages that poll. */
export function live({ db, baseUrl, liveFeed, streams, clientAddress }: Options) {
  const frames = framesFor(baseUrl)
  const polls = new Places(pollLimits)
  const log = eventLog(db)

  return new Elysia({ name: 'live' }).get('/feed/live', async ({ query, request, server }) => {
    const accept = request.headers.get('accept') ?? ''
    let filter: FeedFilter | Search
    try {
      filter = (await readSearch(db, query)) ?? (await readFilter(db, query))
    } catch (error) {
      const farewell = await farewellOf(db, { username: usernameIn(query.user ?? null), accept })
      if (farewell === null) throw error
      return farewell
    }
    const lastEventId = readPosition(request.headers.get('last-event-id'))
    const after = lastEventId ?? readPosition(query.after)
    const takesFragments = accept.includes('text/html')
    const address = clientAddress(request, server)
    if (takesFragments && !accept.includes('text/event-stream')) return await poll(address, filter, after)

    const stream = streams.open({ address, request, server })
    if (stream === null) {
      // A page that polls sends no Last-Event-ID; a stream that reconnects must be told "later".
      if (takesFragments && lastEventId === null) return await poll(address, filter, after)
      throw noPlace('streams are open', streams.isFull)
    }
    await new FeedStream(liveFeed, stream, framesOf(filter)).begin(filter, after)
    return new Response(stream.body, { headers: eventStreamHeaders })
  })

  function framesOf(filter: FeedFilter | Search): FrameOf {
    return isSearch(filter) ? searchFramesFor(baseUrl, filter.words) : frames[placeOf(filter)]
  }

  async function poll(address: string, filter: FeedFilter | Search, after: number | null): Promise<Response> {
    if (!polls.hasRoomFor(address)) throw noPlace('polls are under way', polls.areTaken)
    polls.take(address)
    try {
      return await fragments(log, { baseUrl, filter, after })
    } finally {
      polls.free(address)
    }
  }
}

function placeOf(filter: FeedFilter | Search): Place {
  return filter.userId === null || isSearch(filter) ? 'feed' : placeOfUser(filter.scope)
}

/** The same events as fragments, newest first, since they are put in at the top. */
async function fragments(
  log: EventLog,
  { baseUrl, filter, after }: { baseUrl: string; filter: FeedFilter | Search; after: number | null },
): Promise<Response> {
  if (after === null) return fragment('', { status: 204, isPrivate: true })
  const { isCut, events } = await readCatchUp(log, filter, after)
  if (events.length === 0) return fragment('', { status: 204, isPrivate: true })
  const words = isSearch(filter) ? filter.words : undefined
  const shown = events
    .filter((event) => isIn(filter, event))
    .toReversed()
    .map((event) => <LiveEvent event={event} place={placeOf(filter)} words={words} />)
  return fragment(underBasePath(baseUrl, `${shown.join('')}${isCut ? <Gap /> : ''}`), { isPrivate: true })
}
