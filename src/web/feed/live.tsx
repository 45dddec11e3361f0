import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { eventLog } from '../../data/event-log.ts'
import type { Db } from '../../database/db.ts'
import type { FeedFilter } from '../../domain/feed-event.ts'
import { scopeOf } from '../../domain/target.ts'
import { Places } from '../../http/address-limits.ts'
import type { ClientAddress } from '../../http/client-address.ts'
import type { EventStreams } from '../../http/event-stream.ts'
import { eventStreamHeaders } from '../../http/headers.ts'
import { Problem } from '../../http/problem.ts'
import { idOf, readCategory, readTarget } from '../../http/query.ts'
import { fragment } from '../../http/respond.ts'
import { readCatchUp } from '../../live/catch-up.ts'
import type { EventLog, LiveFeed } from '../../live/live-feed.ts'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'
import { findPoster } from '../find-poster.ts'
import { refuseBroad } from '../refuse-broad.ts'
import { FeedStream } from './stream.ts'

type Options = { db: Db; liveFeed: LiveFeed; streams: EventStreams; clientAddress: ClientAddress }

/** Polls that may be under way. They count by themselves: a page polls when it gets no stream. */
const pollLimits = { perAddress: 30, total: 1_000 }

type Query = Readonly<Record<string, string | undefined>>

/** GET /feed/live: the feed as an event stream, or as HTML fragments for pages that poll. */
export function live({ db, liveFeed, streams, clientAddress }: Options) {
  const polls = new Places(pollLimits)
  const log = eventLog(db)

  return new Elysia({ name: 'live' }).get('/feed/live', async ({ query, request, server }) => {
    const filter = await readFilter(db, query)
    const lastEventId = readPosition(request.headers.get('last-event-id'))
    const after = lastEventId ?? readPosition(query.after ?? null)
    const accept = request.headers.get('accept') ?? ''
    const takesFragments = accept.includes('text/html')
    const address = clientAddress(request, server)
    if (takesFragments && !accept.includes('text/event-stream')) return await poll(address, filter, after)

    const stream = streams.open({ address, request, server })
    if (stream === null) {
      // A page that polls sends no Last-Event-ID; a stream that reconnects must be told "later".
      if (takesFragments && lastEventId === null) return await poll(address, filter, after)
      throw noPlace('streams are open', streams.isFull)
    }
    await new FeedStream(liveFeed, stream).begin(filter, after)
    return new Response(stream.body, { headers: eventStreamHeaders })
  })

  async function poll(address: string, filter: FeedFilter, after: number | null): Promise<Response> {
    if (!polls.hasRoomFor(address)) throw noPlace('polls are under way', polls.areTaken)
    polls.take(address)
    try {
      return await fragments(log, filter, after)
    } finally {
      polls.free(address)
    }
  }
}

/**
 * An address with too many is told so, and only a full process is unavailable: a proxy takes 503 for a sick
 * server.
 */
function noPlace(what: string, isFull: boolean): Problem {
  const message = `Too many ${what}. Try again later, or close some.`
  return new Problem(isFull ? 'unavailable' : 'rate_limited', message, { headers: { 'Retry-After': '20' } })
}

/** The same events as fragments, newest first, since they are put in at the top. */
async function fragments(log: EventLog, filter: FeedFilter, after: number | null): Promise<Response> {
  if (after === null) return fragment('', { status: 204, isPrivate: true })
  const { isCut, events } = await readCatchUp(log, filter, after)
  if (events.length === 0) return fragment('', { status: 204, isPrivate: true })
  const shown = events.toReversed().map((event) => <LiveEvent event={event} />)
  return fragment(`${shown.join('')}${isCut ? <Gap /> : ''}`, { isPrivate: true })
}

async function readFilter(db: Db, query: Query): Promise<FeedFilter> {
  const category = readCategory(query)
  const target = readTarget(query)
  const poster = query.user ? await findPoster(db, query.user) : null
  const scope = target === null ? null : scopeOf(target)
  const filter = { category, scope, userId: poster?.user.id ?? null }
  await refuseBroad(db, filter)
  return filter
}

/** The id of the last event that a reader has seen, 0 for none; null if it does not say. */
function readPosition(text: string | null): number | null {
  return text === '0' ? 0 : idOf(text ?? '')
}
