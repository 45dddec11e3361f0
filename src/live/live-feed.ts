import { facetNames, facetOf, givenFacets } from '../domain/feed/facets.ts'
import { type FeedEvent, type FeedPart, wholeFeed } from '../domain/feed/feed.ts'
import { type EventLog, nextTurn, type Reading, readMissed } from './catch-up.ts'
import { type FeedState, Follower, type Following } from './follower.ts'
import { RecentEvents } from './recent-events.ts'

export type LiveFeed = ReturnType<typeof liveFeed>

const pageSize = 500
/** The log is also read at this interval, in case a bell was lost. */
const lookEveryMs = 5_000
/** How many followers are served in one turn of the event loop, so that crowds do not delay pipelines. */
const followersPerTurn = 12

/** Follows a log and offers its events to all followers. */
export function liveFeed(log: EventLog) {
  const followers = new Audience()
  const leave = (follower: Follower) => followers.delete(follower)
  const missed: Reading = { read: (filter, after) => readMissed(log, filter, after), pace: null }
  /** The id of the last event that was read. While there are followers, only reading moves it forward. */
  let position = 0
  const recent = new RecentEvents()
  let locating = Promise.resolve()
  let isLooking = false
  let lookAgain = false
  let state: FeedState = 'resumed'
  const timer = setInterval(look, lookEveryMs)
  timer.unref()

  return {
    look,
    follow,
    get watcherCount(): number {
      return followers.size
    },
    close(): void {
      clearInterval(timer)
      followers.clear()
    },
  }

  /**
   * Sends a reader all events of its part after the last one that it has seen, until its stream ends. Resolves when
   * the first page of them has been sent. Without `reading`, that is the only one: after more than `catchUpLimit`, a
   * "gap" and the latest ones. Rejects as the log does; the stream has then ended.
   */
  async function follow(following: Following, reading: Reading = missed): Promise<Follower> {
    const { after, sink } = following
    const follower = new Follower(following, reading, leave)
    if (followers.size === 0) locating = locate()
    followers.add(follower)
    try {
      // The follower reads only after `position` is known, so it is offered every event that this read lacks.
      await locating
      follower.notify(state)
      await follower.begin(after === null ? position : await within(after), after !== null)
    } catch (error) {
      leave(follower)
      sink.close()
      throw error
    }
    // The stream may have ended before it had an owner.
    if (!sink.isOpen) leave(follower)
    look()
    return follower
  }

  /** Moves to the end of the log, because nothing is read without followers. */
  async function locate(): Promise<void> {
    position = Math.max(position, await log.latestId())
    // What was announced meanwhile was not read.
    recent.forgetAfter(0)
    state = 'resumed'
  }

  /** Limits an id to the end of the log: one that was never assigned is from before the log was set back. */
  async function within(id: number): Promise<number> {
    if (id <= position || id <= (await log.highestId())) return id
    return Math.min(id, await log.latestId())
  }

  /** Reads new events; the bell (database/bell.ts) calls it. Costs nothing without followers. */
  function look(): void {
    lookAgain = true
    if (isLooking || followers.size === 0) return
    isLooking = true
    void readOn()
  }

  async function readOn(): Promise<void> {
    while (lookAgain) {
      lookAgain = false
      try {
        await locating
        await offerNew()
        notify('resumed')
      } catch {
        // The log cannot be read. The next bell or the timer tries again from the same position.
        notify('interrupted')
      }
    }
    // Set in the same turn as the check of `lookAgain`, or a bell in between would be lost.
    isLooking = false
  }

  function notify(now: FeedState): void {
    if (now === state) return
    state = now
    for (const follower of followers) follower.notify(now)
  }

  async function offerNew(): Promise<void> {
    let read: readonly FeedEvent[]
    do {
      // With the last event again, which is another one if the log was set back.
      read = await log.readAfter(wholeFeed, position - 1, pageSize)
      const [first] = read
      const isSame = position === 0 || (first?.id === position && !recent.isNew(first))
      if (!isSame && (await turnBack())) return offerNew()
      for (const event of read) {
        if (event.id >= position) recent.add(event)
        if (event.id <= position) continue
        position = event.id
        let offered = 0
        // A follower that joins during the loop reads the event from the log.
        for (const follower of followers.of(event)) {
          follower.offer(event)
          offered += 1
          if (offered % followersPerTurn === 0) await nextTurn()
        }
      }
    } while (read.length === pageSize && followers.size > 0)
  }

  /**
   * Goes back to the last event that the log still has, if a failover or a backup set it back: it would seem silent until
   * its ids pass `position` again, and the events until then would be left out.
   */
  async function turnBack(): Promise<boolean> {
    const kept = await log.readAfter(wholeFeed, Math.min(recent.oldest, position) - 1, pageSize)
    const other = kept.find((event) => event.id <= position && recent.isNew(event))
    if (other === undefined && (await log.highestId()) >= position) return false
    position = other === undefined ? (kept.at(-1)?.id ?? (await log.latestId())) : other.id - 1
    recent.forgetAfter(position)
    for (const follower of followers) follower.turnBack(position)
    return true
  }
}

/** Followers in rooms by their part of the feed: a deployment costs nothing for the readers of other profiles. */
class Audience extends Set<Follower> {
  private readonly rooms = new Map<string, Set<Follower>>()

  override add(follower: Follower): this {
    this.rooms.getOrInsertComputed(roomOf(follower.filter), () => new Set()).add(follower)
    return super.add(follower)
  }

  override delete(follower: Follower): boolean {
    const room = roomOf(follower.filter)
    const others = this.rooms.get(room)
    others?.delete(follower)
    if (others?.size === 0) this.rooms.delete(room)
    return super.delete(follower)
  }

  override clear(): void {
    super.clear()
    this.rooms.clear()
  }

  /** All followers whose part of the feed may contain the event, each once. They still have to apply their filter. */
  *of(event: FeedEvent): Iterable<Follower> {
    if (event.kind !== 'announced') yield* this
    else for (const room of roomsOf(event)) yield* this.rooms.get(room) ?? []
  }
}

/** The room of a follower: the narrowest of its filters whose value can be read directly from an event. */
function roomOf({ userId, scope, by }: FeedPart): string {
  if (userId !== null) return scope === null ? `user ${userId}` : `scope ${userId} ${scope}`
  const [facet] = givenFacets(by)
  return facet === undefined ? 'everything' : `${facet} ${by[facet]}`
}

function roomsOf({ deployment, scopes }: FeedEvent & { kind: 'announced' }): string[] {
  const { poster } = deployment
  return [
    'everything',
    `user ${poster.id}`,
    ...scopes.map((scope) => `scope ${poster.id} ${scope}`),
    ...facetNames.map((facet) => `${facet} ${facetOf(facet, deployment)}`),
  ]
}
