import { Html } from '@elysiajs/html'
import { Elysia } from 'elysia'
import { isRetired } from '../../data/account/users.ts'
import { eventLog } from '../../data/event-log.ts'
import type { Db } from '../../database/db.ts'
import { facetParameters } from '../../domain/feed/facets.ts'
import { type FeedFilter, isSearched } from '../../domain/feed/feed.ts'
import { pollsPerAddress } from '../../http/concurrent-requests.ts'
import { caughtUp, eventStreamHeaders, frame, madeOnce, opening } from '../../http/event-stream.ts'
import { noPermit, Permits } from '../../http/permits.ts'
import { readEventId, refuseOthers, usernameIn } from '../../http/query-parameters.ts'
import { fragment } from '../../http/responses.ts'
import { nextTurn, perTurn, readMissed } from '../../live/catch-up.ts'
import type { FeedMessage } from '../../live/follower.ts'
import { type EntryLook, type EntryPlace, placeOfUser } from '../../views/deployment/entry.tsx'
import { Gap, LiveEvent } from '../../views/feed/live.tsx'
import { underBasePath } from '../../views/page/address.ts'
import { readPart } from '../lists/part.ts'
import { type FoundPart, withSearch } from '../lists/search.ts'
import type { Dependencies } from '../route-dependencies.ts'

/** Polls in progress. They have a limit of their own, because a page polls when it gets no stream. */
const pollLimits = { perAddress: pollsPerAddress, total: 1_000 }

/** GET /feed/live: the feed as an event stream, or as HTML fragments for pages that poll. */
export function feedStream(dependencies: Dependencies) {
  const { db, site, baseUrl, search, liveFeed, streams, clientAddress } = dependencies
  const frames = framesFor(baseUrl)
  const polls = new Permits(pollLimits)
  const log = eventLog(db)
  const taken = withSearch(search, ['user', ...facetParameters, 'target', 'after'])

  return new Elysia({ name: 'feed-stream' }).get('/feed/live', async ({ query, request, server }) => {
    refuseOthers(query, 'This stream', taken, site.search)
    const accept = request.headers.get('accept') ?? ''
    let filter: FeedFilter | FoundPart
    try {
      filter = await readPart(db, search, query)
    } catch (error) {
      const deleted = await accountDeleted(db, usernameIn(query.user ?? null), accept)
      if (deleted === null) throw error
      return deleted
    }
    const lastEventId = readEventId(request.headers.get('last-event-id'))
    const after = lastEventId ?? readEventId(query.after)
    const takesFragments = accept.includes('text/html')
    const address = clientAddress(request, server)
    const poll = () => polls.run(address, 'polls are in progress', () => fragments(filter, after))
    if (takesFragments && !accept.includes('text/event-stream')) return await poll()

    const stream = streams.open({ address, request, server })
    if (stream === null) {
      // A page that polls sends no Last-Event-ID; a stream that reconnects must be told "later".
      if (takesFragments && lastEventId === null) return await poll()
      throw noPermit('streams are open', streams.isFull)
    }
    const { seen } = await liveFeed.follow({ filter, after, frameOf: frameFor(filter), sink: stream })
    stream.send(caughtUp(seen))
    return new Response(stream.body, { headers: eventStreamHeaders })
  })

  function frameFor(filter: FeedFilter | FoundPart): FrameOf {
    const look = lookOf(filter)
    // Few others watch the same search, so its frames are not kept.
    return look.marks === undefined ? frames[look.place] : (message) => makeFrame(message, baseUrl, look)
  }

  /** The missed events as fragments, newest first, because they are put in at the top. */
  async function fragments(filter: FeedFilter | FoundPart, after: number | null): Promise<Response> {
    if (after === null) return fragment('', { status: 204, isPrivate: true })
    const { isCut, events, seen } = await readMissed(log, filter, after)
    // Tells the page how far it has seen, because not every event that was read becomes an entry.
    const options = { isPrivate: true, headers: { 'Last-Event-ID': String(seen) } }
    if (events.length === 0 && !isCut) return fragment('', { ...options, status: 204 })
    const look = lookOf(filter)
    let shown = ''
    for (const [n, event] of events.entries()) {
      if (n % perTurn === perTurn - 1) await nextTurn()
      shown = <LiveEvent event={event} look={look} /> + shown
    }
    return fragment(underBasePath(baseUrl, `${shown}${isCut ? <Gap /> : ''}`), options)
  }
}

/** Tells an open page that its account was deleted while the page was away. Null if none was. */
async function accountDeleted(db: Db, username: string | null, accept: string): Promise<Response | null> {
  if (username === null || !(await isRetired(db, username))) return null
  const event = <LiveEvent event={{ kind: 'account_deleted', id: 0, username }} />
  if (!accept.includes('text/event-stream')) return fragment(event, { isPrivate: true })
  return new Response(frame({ data: String(event) }), { headers: eventStreamHeaders })
}

function lookOf(filter: FeedFilter | FoundPart): EntryLook & { place: EntryPlace } {
  if (isSearched(filter)) return { place: 'feed', ...filter.look }
  return { place: filter.userId === null ? 'feed' : placeOfUser(filter.scope) }
}

type FrameOf = (message: FeedMessage) => Uint8Array

export function framesFor(baseUrl: string): Readonly<Record<EntryPlace, FrameOf>> {
  const framesIn = (place: EntryPlace) =>
    madeOnce((message: FeedMessage) => makeFrame(message, baseUrl, { place }))
  return { feed: framesIn('feed'), person: framesIn('person'), project: framesIn('project') }
}

function makeFrame(message: FeedMessage, baseUrl: string, look: EntryLook): Uint8Array {
  switch (message.kind) {
    case 'position':
      return opening(message.id)
    case 'gap':
      return frame({ data: String(<Gap />) })
    case 'interrupted':
    case 'resumed':
      return frame({ event: message.kind, data: '' })
    default:
      return frame({
        id: message.id,
        data: underBasePath(baseUrl, <LiveEvent event={message} look={look} />),
      })
  }
}
