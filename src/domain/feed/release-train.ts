import type { Deployment } from '../deployment.ts'
import type { Compared } from '../environment/board.ts'
import { environmentKey } from '../environment/environment.ts'
import { inOrder, type OwnOrder, stageOf, stagesIn } from '../environment/stages.ts'
import { isSameRelease, type Named, shortCommit } from '../release/release.ts'

/** A deployment of a release, which carries it into an environment. */
type Carried = Compared & Pick<Deployment, 'environment' | 'deployedAt'>

/** A release of one project: all of its deployments that were read, the oldest first. */
export type ReleaseTrain<One extends Carried> = Named & { readonly deployments: readonly [One, ...One[]] }

/** Where a release was deployed to: the environment as it was first written, null for none. */
export type Stop<One extends Carried> = {
  readonly environment: string | null
  readonly first: One
  /** The same one, unless it was deployed there again. */
  readonly latest: One
}

/**
 * The releases of one project, the one that was announced last first. Takes its deployments with the newest first, and
 * leaves out those without a version and a commit. A deployment belongs to the latest release that it is the same as
 * (`isSameRelease`), so a version that is given to another commit begins another release.
 */
export function trainsOf<One extends Carried>(deployments: readonly One[]): readonly ReleaseTrain<One>[] {
  type Growing = { -readonly [Key in keyof Named]: Named[Key] } & { readonly deployments: [One, ...One[]] }
  const trains: Growing[] = []
  const named = new Map<string, Growing>()
  for (const one of deployments.toReversed()) {
    const names = namesOf(one)
    if (names.length === 0) continue
    let train = names.map((name) => named.get(name)).find((other) => other && isSameRelease(other, one))
    if (train === undefined) {
      train = { version: undefined, commit: undefined, deployments: [one] }
      trains.push(train)
    } else train.deployments.push(one)
    train.version = one.version ?? train.version
    if ((one.commit?.length ?? 0) > (train.commit?.length ?? 0)) train.commit = one.commit
    for (const name of names) named.set(name, train)
  }
  return trains.toReversed()
}

/** The keys under which a release is found, of which no two kinds can be equal. A commit may be given in part. */
function namesOf({ version, commit }: Named): string[] {
  const digits = commit?.toLowerCase()
  const ofCommit = digits === undefined ? [] : [`=${digits}`, `^${shortCommit(digits)}`]
  return version === undefined ? ofCommit : [...ofCommit, `v${version}`]
}

/** The stops of a release: those without an environment first, then in the order of a board. */
export function stopsOf<One extends Carried>(
  { deployments }: ReleaseTrain<One>,
  order: OwnOrder,
): readonly Stop<One>[] {
  const stops = [...Map.groupBy(deployments, environmentOf).values()].map((at) => {
    const [first, latest] = [at[0] as One, at.at(-1) as One]
    return { environment: first.environment ?? null, first, latest }
  })
  const somewhere = stops.filter(({ environment }) => environment !== null)
  return [
    ...stops.filter(({ environment }) => environment === null),
    ...inOrder(somewhere, ({ environment }) => environment ?? '', order),
  ]
}

/** The key of the environment of a deployment, '' for none. */
export function environmentOf({ environment = '' }: Pick<Carried, 'environment'>): string {
  return environmentKey(environment)
}

/** Milliseconds from the stop before to this one; null for the first one, or if it was reached before that. */
export function legTo<One extends Carried>(stops: readonly Stop<One>[], index: number): number | null {
  const [from, to] = [stops[index - 1], stops[index]]
  if (from === undefined || to === undefined || to.first.id < from.first.id) return null
  return to.first.deployedAt.getTime() - from.first.deployedAt.getTime()
}

/**
 * The time in milliseconds from the first deployment of a release to the first one at the last stage, with both; null
 * if it is not there yet, or was announced there first.
 */
export function leadTimeOf<One extends Carried>(train: ReleaseTrain<One>, order: OwnOrder) {
  const [from] = train.deployments
  const to = train.deployments.find(
    ({ environment }) => stageOf(environment ?? '', order) === stagesIn(order) - 1,
  )
  if (to === undefined || to === from) return null
  return { from, to, duration: to.deployedAt.getTime() - from.deployedAt.getTime() }
}
