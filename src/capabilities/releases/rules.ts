import type { Deployment } from '../../domain/deployment.ts'
import type { OwnOrder } from '../../domain/environment/stages.ts'
import {
  environmentOf,
  type ReleaseTrain,
  type Stop,
  stopsOf,
  trainsOf,
} from '../../domain/feed/release-train.ts'
import { compareAddress } from '../../domain/release/comparison.ts'
import type { Release } from '../../domain/release/release.ts'

/** What pages say of a deployment. The message may be cut after its headline. */
export type Reached = Pick<Deployment, 'id' | 'message' | 'url' | 'deployedAt'> & Release

export type Train = ReleaseTrain<Reached>

/** Successive deployments of a project, the newest first. */
export type Window = {
  readonly deployments: readonly Reached[]
  /** Whether there are none before them. */
  readonly isWhole: boolean
  /** The ids of the newest deployment of each environment. */
  readonly live: ReadonlySet<number>
  readonly now: Date
}

/** How many releases a page lists. */
const releasesOnPage = 25

/** For how many environments a page says what is new: a release may be in hundreds. */
const maxNews = 8

/** The id of a release: that of its first deployment, which stays while the release travels. */
export function idOfRelease({ deployments: [first] }: Train): number {
  return first.id
}

/**
 * The releases that were first announced before an id (null: the newest), the last of these first; and the id to page
 * before, null on the last page.
 */
export function pageOfReleases({ deployments, isWhole }: Window, before: number | null) {
  const all = trainsOf(deployments).filter((train) => before === null || idOfRelease(train) < before)
  const releases = all.slice(0, releasesOnPage)
  const last = releases.at(-1)
  if (all.length > releases.length && last !== undefined) return { releases, older: idOfRelease(last) }
  return { releases, older: isWhole ? null : (deployments.at(-1)?.id ?? null) }
}

/** A stop with what came after it. */
export type StopOfRelease = Stop<Reached> & {
  readonly isLive: boolean
  /** What was deployed there next; null while nothing else was. */
  readonly next: Reached | null
}

/** What is new in the environments of successive stops. */
export type News = {
  readonly environments: readonly string[]
  /** What was deployed there before; null if nothing was, as far as was read. */
  readonly since: Reached | null
  /** The page of the forge that compares both; null if there is none. */
  readonly compare: string | null
  /** The id of the release that was there before; if there was none, that of this one. */
  readonly after: number
  /** The releases that were announced since that one, this one first. */
  readonly releases: readonly Train[]
}

/**
 * The release with a deployment and its stops, in the order of their owner, and what is new there, the most news first;
 * null if there is none.
 */
export function releaseWith(id: number, { deployments, live }: Window, order: OwnOrder) {
  const trains = trainsOf(deployments)
  const release = trains.find((train) => train.deployments.some((one) => one.id === id))
  if (release === undefined) return null
  const byEnvironment = Map.groupBy(deployments, environmentOf)
  const firstOf = new Map(
    trains.flatMap((train) => train.deployments.map((one) => [one.id, idOfRelease(train)])),
  )
  const stops = stopsOf(release, order).map((stop): StopOfRelease => {
    const there = byEnvironment.get(environmentOf(stop.latest)) ?? []
    const isSomewhere = stop.environment !== null
    const next = (isSomewhere && there.findLast(({ id }) => id > stop.latest.id)) || null
    return { ...stop, next, isLive: live.has(stop.latest.id) }
  })
  const own = idOfRelease(release)
  const { url = null } = release.deployments.find(({ url }) => url !== null) ?? {}
  const news = stops.toReversed().flatMap(({ environment, first }): News[] => {
    if (environment === null) return []
    const since = byEnvironment.get(environmentOf(first))?.find((one) => one.id < first.id) ?? null
    const after = since === null ? own : (firstOf.get(since.id) ?? since.id)
    const between = trains.filter((other) => idOfRelease(other) > after && idOfRelease(other) < own)
    const compare = since === null ? null : compareAddress(url, since, release)
    return [{ environments: [environment], since, compare, after, releases: [release, ...between] }]
  })
  const most = joined(news).toSorted((one, other) => other.releases.length - one.releases.length)
  return { release, stops, news: most.slice(0, maxNews) }
}

/** Neighbours with the same news are one. */
function joined(all: readonly News[]): readonly News[] {
  const groups: News[] = []
  for (const one of all) {
    const last = groups.at(-1)
    if (last === undefined || last.after !== one.after) groups.push(one)
    else groups[groups.length - 1] = { ...last, environments: [...one.environments, ...last.environments] }
  }
  return groups
}
