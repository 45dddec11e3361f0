import { type FeedEvent, type FeedFilter, isIn } from '../../../src/domain/feed/feed.ts'
import type { EventLog } from '../../../src/live/catch-up.ts'

/** A log that a test writes, and whose answers the test can hold back. */
export type HeldLog = EventLog & {
  readonly events: readonly FeedEvent[]
  /** The number of reads so far. */
  readonly reads: number
  /** The number of held steps. A read has two steps, and sees the log between them. */
  readonly held: number
  isHeld: boolean
  isAway: boolean
  /** The highest id that was assigned. */
  readonly highest: number
  /** Whether commits wait for a standby, which may show them while the log does not. */
  commitsWait(doWait: boolean): void
  /** Adds a deployment whose scope, category and environment differ from id to id. */
  announce(userId?: number): number
  withdraw(deploymentId: number): number
  /** Loses all events after an id, and continues from there. */
  setBack(id: number): void
  /** Loses an event with its account. */
  forget(id: number): void
  /** Lets one held step go on, with everything that follows from it at once. */
  step(which?: number): Promise<void>
  /** Lets all held steps go on until there are none. */
  settle(): Promise<void>
}

/** An empty log that answers at once until it is held. */
export function heldLog(): HeldLog {
  const events: FeedEvent[] = []
  let highest = 0
  /** How many deployments there ever were: each has another instant. */
  let announced = 0
  /** The events that are not shown yet; null while commits do not wait. */
  let hidden: FeedEvent[] | null = null
  const waiting: (() => void)[] = []
  const log: HeldLog = {
    events,
    reads: 0,
    get held() {
      return waiting.length
    },
    isHeld: false,
    isAway: false,
    get highest() {
      return highest
    },
    commitsWait(doWait) {
      events.push(...(hidden ?? []))
      hidden = doWait ? [] : null
    },
    announce(userId = 1) {
      const id = nextId()
      announced += 1
      const poster = { id: userId, username: `user-${userId}`, name: `User ${userId}` }
      const category = id % 4 === 0 ? 'feature' : null
      const environment = id % 5 < 2 ? 'Production' : undefined
      const release = { category, environment } as const
      const deployment = {
        id,
        message: `${id}`,
        url: null,
        deployedAt: new Date(announced),
        poster,
        ...release,
      }
      commit({ kind: 'announced', id, scopes: ['', `host-${id % 2}.example`], deployment })
      return id
    },
    withdraw(deploymentId) {
      commit({ kind: 'withdrawn', id: nextId(), deploymentId })
      return highest
    },
    latestId: () => read(() => events.at(-1)?.id ?? 0),
    highestId: () => read(() => highest),
    setBack(id) {
      events.splice(0, events.length, ...events.filter((event) => event.id <= id))
      highest = id
    },
    forget(id) {
      events.splice(0, events.length, ...events.filter((event) => event.id !== id))
    },
    readAfter: (filter, id, limit) =>
      read(() => events.filter((event) => event.id > id && isIn(filter, event)).slice(0, limit)),
    readLatest: (filter: FeedFilter, id, { deployments, removals }) =>
      read(() => {
        const after = events.filter((event) => event.id > id && isIn(filter, event))
        const last = new Set([
          ...after.filter(({ kind }) => kind === 'announced').slice(-deployments),
          ...after.filter(({ kind }) => kind !== 'announced').slice(-removals),
        ])
        return after.filter((event) => last.has(event))
      }),
    async step(which = 0) {
      const [goOn] = waiting.length === 0 ? [] : waiting.splice(which % waiting.length, 1)
      goOn?.()
      await nextTurn()
    },
    async settle() {
      await nextTurn()
      while (waiting.length > 0) await log.step()
    },
  }
  return log

  function commit(event: FeedEvent): void {
    const into = hidden ?? events
    into.push(event)
  }

  function nextId(): number {
    highest += 1
    return highest
  }

  async function read<T>(see: () => T): Promise<T> {
    Object.assign(log, { reads: log.reads + 1 })
    await turn()
    if (log.isAway) throw new Error('The log is away')
    const seen = see()
    await turn()
    return seen
  }

  function turn(): Promise<void> {
    return log.isHeld ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve()
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
