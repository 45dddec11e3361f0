import { environmentKey } from '../domain/deployment.ts'
import type { FeedEvent, FeedFilter, Search } from '../domain/feed.ts'
import type { Follower } from './follower.ts'

/**
 * All followers, by what they asked for. A deployment is offered to those who may want it, so that it costs
 * nothing for the readers of other profiles, of whom there may be thousands.
 */
export class Audience {
  private readonly everyone = new Set<Follower>()
  private readonly rooms = new Map<string, Set<Follower>>()

  get size(): number {
    return this.everyone.size
  }

  add(follower: Follower): void {
    const room = roomOf(follower.filter)
    const others = this.rooms.get(room)
    if (others === undefined) this.rooms.set(room, new Set([follower]))
    else others.add(follower)
    this.everyone.add(follower)
  }

  delete(follower: Follower): void {
    if (!this.everyone.delete(follower)) return
    const room = roomOf(follower.filter)
    const others = this.rooms.get(room)
    others?.delete(follower)
    if (others?.size === 0) this.rooms.delete(room)
  }

  clear(): void {
    this.everyone.clear()
    this.rooms.clear()
  }

  [Symbol.iterator](): IterableIterator<Follower> {
    return this.everyone.values()
  }

  /** All followers whose part of the feed may contain the event, each once. They still have to apply their filter. */
  *of(event: FeedEvent): Iterable<Follower> {
    if (event.kind !== 'announced') yield* this.everyone
    else for (const room of roomsOf(event)) yield* this.rooms.get(room) ?? []
  }
}

/** The room of a follower: the narrowest of its filters that an event tells directly. */
function roomOf({ userId, scope, category, ...part }: FeedFilter | Search): string {
  if (userId !== null) return scope === null ? `user ${userId}` : `scope ${userId} ${scope}`
  if (category !== null) return `category ${category}`
  const environment = 'environment' in part ? part.environment : null
  return environment === null ? 'everything' : `environment ${environment}`
}

/** The rooms of all followers whose part may contain a deployment. */
function roomsOf({ deployment, scopes }: FeedEvent & { kind: 'announced' }): string[] {
  const { category, environment, poster } = deployment
  return [
    'everything',
    `user ${poster.id}`,
    ...scopes.map((scope) => `scope ${poster.id} ${scope}`),
    `category ${category}`,
    `environment ${environmentKey(environment ?? '')}`,
  ]
}
