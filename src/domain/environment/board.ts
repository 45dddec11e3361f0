import type { Deployment } from '../deployment.ts'
import { compareAddress } from '../release/comparison.ts'
import { isSameRelease } from '../release/release.ts'
import { day, durationInWords } from '../time.ts'
import { environmentKey } from './environment.ts'
import { inOrder, type OwnOrder, placeOf, stageOf } from './stages.ts'

/** The newest deployment of a target to an environment: what is live there. */
export type Current = { readonly target: string; readonly deployment: Deployment }

/** Deployments that are ahead are counted up to this number. */
export const maxAhead = 50

/** From these ages of the oldest deployment that is ahead, a board says how long it has waited, and how that looks. */
const waits = [
  [7 * day, 'overdue'],
  [day, 'due'],
] as const

export type Compared = Pick<Deployment, 'id' | 'version' | 'commit' | 'deployedAt'>

/** The same for a list of what is ahead. The message may be cut. */
export type Recent = Compared & Pick<Deployment, 'message'>

/** What is live in an environment and, if that can be ahead of a later one, the latest deployments to it. */
export type LiveEnvironment<One extends Compared = Recent> = {
  readonly deployment: Deployment
  readonly recent: readonly One[]
}

/** What the next environment does not have yet; `isMore` if there are more than `maxAhead`. */
export type Ahead<One extends Compared = Recent> = {
  readonly of: string
  readonly deployments: readonly One[]
  readonly isMore: boolean
  /** The page of the forge that compares both; null if there is none. */
  readonly compare: string | null
}

export type BoardRow<One extends Compared = Recent> = {
  readonly deployment: Deployment
  readonly ahead: Ahead<One> | null
}

/** The rows of a project's board, in the order of `inOrder`. Takes what is live, the newest first. */
export function boardOf<One extends Compared>(
  live: readonly LiveEnvironment<One>[],
): readonly BoardRow<One>[] {
  const order = ownOrderOf(live)
  const rows = inOrder(live, keyOf, order)
  return rows.map((one) => {
    const next = nextOf(one, rows, order)
    return { deployment: one.deployment, ahead: next === null ? null : aheadOf(one, next.deployment) }
  })
}

/** What is live at the next stage: in the same region if there is such an environment, but never in another region. */
function nextOf<One extends Compared>(
  one: LiveEnvironment<One>,
  rows: readonly LiveEnvironment<One>[],
  order: OwnOrder,
): LiveEnvironment<One> | null {
  const own = placeOf(keyOf(one), order)
  if (own === null) return null
  const later = rows
    .map((row) => ({ row, place: placeOf(keyOf(row), order) }))
    .filter(
      ({ place }) =>
        place !== null &&
        place.stage > own.stage &&
        (place.region === own.region || place.region === '' || own.region === ''),
    )
  const nearest = later.filter(({ place }) => place?.stage === later[0]?.place?.stage)
  return (nearest.find(({ place }) => place?.region === own.region) ?? nearest[0])?.row ?? null
}

/** A project of a user, or a wider scope of domain/target.ts. */
export type ChosenProject = { readonly username: string; readonly scope: string }

/** How many projects a board may be asked for. */
export const maxChosen = 20

/** What a board of several users shows: the chosen projects, or without any the latest; in one environment or in all. */
export type BoardPart = { readonly projects: readonly ChosenProject[]; readonly environment: string | null }

export type LiveInTarget = LiveEnvironment<Compared> & { readonly target: string }

/** What a badge says of an environment, whose name is written as in that deployment. */
export type LiveRelease = {
  readonly environment: string
  readonly version: string | null
  readonly commit: string | null
  readonly deployedAt: Date
}

export type EnvironmentTable = ReturnType<typeof environmentTable>

/**
 * The table of the live deployments, given the newest first. The columns are the `max` environments with the most
 * targets, of equals those nearest to production, in the order of a board; or `only` one.
 */
export function environmentTable(live: readonly LiveInTarget[], max: number, only: string | null = null) {
  const byEnvironment = Map.groupBy(live, keyOf)
  const order = ownOrderOf(live)
  const all = inOrder([...byEnvironment], ([key]) => key, order)
  const offered = only === null ? all : all.filter(([key]) => key === only)
  const stageIn = (key: string) => stageOf(key, order) ?? -1
  const used = offered
    .toSorted(([a, inA], [b, inB]) => inB.length - inA.length || stageIn(b) - stageIn(a))
    .slice(0, max)
  const shown = new Set(used.map(([key]) => key))
  const columns = offered.filter(([key]) => shown.has(key))
  const byTarget = Map.groupBy(live, ({ target, deployment }) => `${deployment.poster.username}/${target}`)
  const rows = [...byTarget.values()].flatMap((ofTarget) => {
    const board = new Map(boardOf(ofTarget).map((row) => [keyOf(row), row]))
    const cells = columns.map(([key]) => board.get(key) ?? null)
    return ofTarget.slice(0, 1).map(({ target, deployment: { poster } }) => ({ target, poster, cells }))
  })
  return {
    /** As they are written in the newest deployment to each. */
    columns: columns.map(([key, [first]]) => first?.deployment.environment ?? key),
    /** The targets that are live in a column, the newest first, each with what is live in each column. */
    rows: rows.filter(({ cells }) => cells.some((cell) => cell !== null)),
    /** What is live in the environments that have no column, the newest first. */
    others: only === null ? live.filter((one) => !shown.has(keyOf(one))) : [],
    otherEnvironments: offered.length - shown.size,
  }
}

/** How long the oldest deployment that is ahead has waited, "6 days", and how that looks; null below a day. */
export function waitOf({ deployments }: Pick<Ahead<Compared>, 'deployments'>, now: Date) {
  const age = now.getTime() - (deployments.at(-1)?.deployedAt ?? now).getTime()
  const [, look] = waits.find(([from]) => age >= from) ?? []
  return look === undefined ? null : { look, duration: durationInWords(age) ?? '' }
}

/** The deployments that are ahead in each environment. A board shows how old each is. */
export function allAhead<One extends Compared>(live: readonly LiveEnvironment<One>[]): readonly One[] {
  return boardOf(live).flatMap(({ ahead }) => ahead?.deployments ?? [])
}

/** The order of the owner of deployments; the usual one if they are of several. */
function ownOrderOf(live: readonly { readonly deployment: Deployment }[]): OwnOrder {
  const [first, ...others] = live.map(({ deployment }) => deployment.poster)
  return others.every(({ id }) => id === first?.id) ? first?.environmentOrder : null
}

function keyOf({ deployment }: { readonly deployment: Deployment }): string {
  return environmentKey(deployment.environment ?? '')
}

/** The newest of the deployments to each environment. Takes and gives them with the newest first. */
export function newestByEnvironment(deployments: readonly Deployment[]): readonly Deployment[] {
  const byEnvironment = Map.groupBy(deployments, ({ environment = '' }) => environmentKey(environment))
  return [...byEnvironment.values()].flatMap((ofOne) => ofOne.slice(0, 1))
}

/** Without what was taken back: if what is live had come before, what came after that. */
function withoutTakenBack<One extends Compared>({
  deployment,
  recent,
}: LiveEnvironment<One>): readonly One[] {
  const cameAt = recent.findLastIndex((one) => isSameRelease(one, deployment))
  return recent.slice(Math.max(0, cameAt))
}

/** What an environment has and another one lacks, given the latest deployments to both. */
export function lackingIn<One extends Compared>(
  other: LiveEnvironment<One>,
  environment: LiveEnvironment<One>,
): Ahead<One> {
  const ahead = aheadOf(environment, other.deployment)
  const had = withoutTakenBack(other)
  const deployments = ahead.deployments.filter((one) => !had.some((release) => isSameRelease(one, release)))
  return { ...ahead, deployments }
}

/** What is newer here than the release that is live next or, if it is not among `recent`, than its deployment. */
function aheadOf<One extends Compared>(environment: LiveEnvironment<One>, next: Deployment): Ahead<One> {
  const kept = withoutTakenBack(environment)
  const same = kept.findIndex((one) => isSameRelease(one, next))
  const newer = same === -1 ? kept.filter(({ id }) => id > next.id) : kept.slice(0, same)
  const deployments = newer.slice(0, maxAhead)
  const compare = compareAddress(environment.deployment.url, next, environment.deployment)
  return { of: next.environment ?? '', deployments, isMore: newer.length > maxAhead, compare }
}
