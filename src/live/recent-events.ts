import type { FeedEvent } from '../domain/feed/feed.ts'

/** So many are remembered, more than a failover loses. */
const maxRemembered = 200

/**
 * The last events of a log that were read, without a gap. By these, a log is recognized that was set back, as by a
 * failover, and gives their ids to other events.
 */
export class RecentEvents {
  /** What distinguishes each from others with its id. */
  private readonly marks = new Map<number, string>()

  add(event: FeedEvent): void {
    this.marks.set(event.id, markOf(event))
    if (this.marks.size > maxRemembered) this.marks.delete(this.oldest)
  }

  /** The id of the oldest one. */
  get oldest(): number {
    const [oldest = Number.POSITIVE_INFINITY] = this.marks.keys()
    return oldest
  }

  /** Whether an event, which the log has at or before the last one that was read, was not there then. */
  isNew(event: FeedEvent): boolean {
    return event.id >= this.oldest && this.marks.get(event.id) !== markOf(event)
  }

  forgetAfter(id: number): void {
    for (const one of this.marks.keys()) if (one > id) this.marks.delete(one)
  }
}

function markOf(event: FeedEvent): string {
  if (event.kind === 'announced') return event.deployment.deployedAt.toJSON()
  return event.kind === 'withdrawn' ? `${event.deploymentId}` : event.username
}
