import type { Cost, Costs } from './costs.ts'

/** The load: badges and announcements a second, open feeds, and the events a second that each is sent. */
export type Load = {
  readonly badges: number
  readonly announcements: number
  readonly watchers: number
  readonly events: number
}

/** The servers that answer. */
export type Shape = { readonly processes: number; readonly standbys: number }

/** The resources that a load takes. Cores are CPU seconds a second. */
export type Demand = {
  readonly ours: number
  readonly primary: number
  readonly eachStandby: number
  /** The share of the time for which a batch of announcements holds the feed's lock. */
  readonly writing: number
  readonly connections: number
  readonly gigabytes: number
  readonly gigabits: number
}

/** As in src/database/batch.ts and src/data: statements in flight, and the largest batch of announcements. */
const badgeStatements = 2
const largestBatch = 500
/** Connections to the primary: the pool and the bell. */
const connectionsEach = 11
/** How often in a second a process asks the primary and each standby whether it may read there. */
const polls = 4
const secondsBetweenBeats = 15
const secondsOfStream = 30 * 60
const beatBytes = 45

/**
 * Takes the number of badges under way in a process. As measured, one part of them is in each of the two
 * statements, and one is being read from the sockets or written to them.
 */
export function demandOf(load: Load, { processes, standbys }: Shape, costs: Costs, atOnce = 64): Demand {
  const { badge, announcement, bell, watcher } = costs
  const { badges, announcements, watchers, events } = load
  const badgesTogether = Math.max(1, atOnce / (badgeStatements + 1))
  const postsTogether = announcementsTogether(announcements, lockedBy(costs, standbys))
  const bells = watchers === 0 ? 0 : processes * looks(announcements / postsTogether, bell)
  const beats = watchers / secondsBetweenBeats
  const opened = watchers / secondsOfStream
  const polled = standbys === 0 ? 0 : processes * polls

  const reading = badges * of(badge.postgres, badgesTogether)
  const ours =
    badges * of(badge.ours, badgesTogether) +
    announcements * of(announcement.ours, postsTogether) +
    bells * bell.ours +
    // A heartbeat costs too little to be measured, and is counted as an event.
    (watchers * events + beats) * watcher.event +
    opened * watcher.opened.ours +
    polled * (1 + standbys) * of(badge.ours, 1)
  const primary =
    (standbys === 0 ? reading : 0) +
    announcements * of(announcement.postgres, postsTogether) +
    bells * bell.postgres +
    opened * watcher.opened.postgres +
    polled * of(badge.postgres, 1)
  const eachStandby =
    reading / Math.max(1, standbys) + announcements * announcement.replayed + polled * of(badge.postgres, 1)
  return {
    ours: ours / 1e6,
    primary: primary / 1e6,
    eachStandby: standbys === 0 ? 0 : eachStandby / 1e6,
    writing: (announcements * of(lockedBy(costs, standbys), largestBatch)) / 1e6,
    connections: processes * (connectionsEach + Math.min(1, standbys)),
    gigabytes: (processes * costs.megabytes) / 1e3 + (watchers * watcher.kilobytes) / 1e6,
    gigabits: ((badges * badge.bytes + watchers * events * watcher.eventBytes + beats * beatBytes) * 8) / 1e9,
  }
}

/** The cost of a call in a batch, in µs. */
function of({ each, once }: Cost, together: number): number {
  return each + once / together
}

/** How long a batch keeps all others out. The wait for a standby is under the lock. */
function lockedBy({ announcement }: Costs, standbys: number): Cost {
  const { each, once } = announcement.alone
  return { each, once: standbys === 0 ? once : once + announcement.awaited }
}

/** A batch is as large as needed for successive batches to keep up. */
function announcementsTogether(aSecond: number, { each, once }: Cost): number {
  const busy = 1 - (aSecond * each) / 1e6
  const needed = busy <= 0 ? largestBatch : (aSecond * once) / 1e6 / busy
  return Math.min(largestBatch, Math.max(1, needed))
}

/** All notifications that arrive while a process looks cause one more look. */
function looks(bells: number, { ours, postgres }: Costs['bell']): number {
  return bells / (1 + (bells * (ours + postgres)) / 1e6)
}
