import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import type { Db } from '../data/database.ts'
import { readLatestEvents } from '../data/event-log.ts'
import { findUser } from '../data/users.ts'
import type { FeedFilter } from '../domain/feed-event.ts'
import { scopeOf } from '../domain/target.ts'
import { usernameOf } from '../domain/username.ts'
import { catchUpLimit, type LiveFeed } from '../live/live-feed.ts'
import type { Received } from '../live/watcher.ts'
import { Gap, LiveEvent } from '../views/live.tsx'
import type { ClientAddress } from './client-address.ts'
import type { EventStream, EventStreams } from './event-stream.ts'
import { frameOf } from './feed-frames.tsx'
import { idOf, readCategory, readTarget } from './filter.ts'
import { eventStreamHeaders } from './headers.ts'
import { Problem } from './problem.ts'
import { fragment } from './respond.ts'
import type { streamLimits } from './stream-limits.ts'

type Options = {
  db: Db
  liveFeed: LiveFeed
  streams: EventStreams
  limits: ReturnType<typeof streamLimits>
  clientAddress: ClientAddress
}

/** How long a stream that has ended may take to be read to its end without any progress. */
const unreadSeconds = 4

type Query = Readonly<Record<string, string | undefined>>

/** GET /feed/live: the feed as an event stream, or as fragments for who polls. */
export function live({ db, liveFeed, streams, limits, clientAddress }: Options) {
  return new Elysia({ name: 'live' }).get('/feed/live', async ({ query, request, server }) => {
    const filter = await readFilter(db, query)
    const lastEventId = readPosition(request.headers.get('last-event-id'))
    const after = lastEventId ?? readPosition(query.after ?? null)
    const accept = request.headers.get('accept') ?? ''
    const takesFragments = accept.includes('text/html')
    if (takesFragments && !accept.includes('text/event-stream')) return await fragments(db, filter, after)

    const free = limits.take(clientAddress(request, server))
    if (free === null) {
      // A reader that polls asks without Last-Event-ID; one that lost its stream must hear "later".
      if (takesFragments && lastEventId === null) return await fragments(db, filter, after)
      throw new Problem('unavailable', 'Too many streams are open. Try again later, or close some.', {
        'Retry-After': '20',
      })
    }
    server?.timeout(request, 0)
    const onEnd = () => {
      free()
      // What a reader leaves unread would otherwise hold its connection for ever.
      server?.timeout(request, unreadSeconds)
    }
    return await openStream({ liveFeed, streams, request, filter, after, onEnd })
  })
}

type Opening = {
  liveFeed: LiveFeed
  streams: EventStreams
  request: Request
  filter: FeedFilter
  after: number | null
  onEnd: () => void
}

async function openStream({ liveFeed, streams, request, filter, after, onEnd }: Opening): Promise<Response> {
  let stop = () => {}
  let isEnded = false
  const { body, stream } = streams.open(request.signal, () => {
    isEnded = true
    stop()
    onEnd()
  })
  try {
    stop = await liveFeed.watch({ filter, after, receive: (received) => deliver(stream, received) })
  } catch (error) {
    stream.close()
    throw error
  }
  // It may have ended while the feed was being read: then nobody else stops this watcher.
  if (isEnded) stop()
  return new Response(body, { headers: eventStreamHeaders })
}

/** A stream that misses an event must not go on as if it had it: its reader comes back and asks for it. */
function deliver(stream: EventStream, received: Received): void {
  try {
    stream.send(frameOf(received))
  } catch (error) {
    stream.close()
    throw error
  }
}

/** The same events as fragments, newest first, as they are put in at the top. */
async function fragments(db: Db, filter: FeedFilter, after: number | null): Promise<Response> {
  const limit = catchUpLimit + 1
  const events = after === null ? [] : await readLatestEvents(db, filter, { after, limit })
  if (events.length === 0) return fragment('', { status: 204, isPrivate: true })
  const isCut = events.length === limit
  const shown = events.slice(isCut ? 1 : 0).toReversed()
  return fragment(`${shown.map((event) => <LiveEvent event={event} />).join('')}${isCut ? <Gap /> : ''}`, {
    isPrivate: true,
  })
}

async function readFilter(db: Db, query: Query): Promise<FeedFilter> {
  const category = readCategory(query)
  const target = readTarget(query)
  const scope = target === null ? null : scopeOf(target)
  return { category, scope, userId: await readUserId(db, query.user) }
}

async function readUserId(db: Db, name: string | undefined): Promise<number | null> {
  if (name === undefined || name === '') return null
  const username = usernameOf(name)
  const found = username === null ? null : await findUser(db, username)
  if (found !== null) return found.user.id
  throw new Problem('not_found', 'Nobody here has this username.')
}

/** The id of the last event that somebody has seen, 0 for none; null where they do not say. */
function readPosition(text: string | null): number | null {
  return text === '0' ? 0 : idOf(text ?? '')
}
