import type { Deployment } from './deployment.ts'
import { environmentKey } from './release.ts'

/** The newest deployment of a target to an environment: what is live there. */
export type Current = { readonly target: string; readonly deployment: Deployment }

/**
 * Environments in the order in which a change reaches them, in the form of environmentKey
 * (docs/decisions.md#environments). Those in one row are equally far.
 */
export const stages: readonly (readonly string[])[] = [
  ['dev', 'develop', 'development'],
  ['test', 'testing', 'qa', 'integration'],
  ['uat', 'acceptance'],
  ['staging', 'stage', 'stg', 'preprod', 'pre-prod', 'preproduction', 'pre-production'],
  ['production', 'prod', 'live'],
]

/** Parts of the world in names of environments, as people and clouds write them, the longest first. */
const regions = `
  af africa america ap apac asia au australia br brazil ca canada central china cn de east emea eu europe fr france
  germany india japan jp korea kr latam na north sa sg singapore south uk us usa west
`
  .trim()
  .split(/\s+/)
  .toSorted((a, b) => b.length - a.length)

/** What separates the words of a name, for JavaScript and for Postgres. */
export const wordEnd = '[-_./]'
const wordEnds = new RegExp(wordEnd)
/** No name of a stage and a region has more words. */
const mostWords = 8

/** The first words of environments that can be ahead of a later one: those of all stages but the last. */
export const stagesBefore = stages
  .slice(0, -1)
  .flatMap((names) => names.map((name) => name.split('-')[0] ?? ''))

/** Deployments that are ahead are counted up to this number. */
export const mostAhead = 50

/** A deployment as it is compared. */
export type Compared = Pick<Deployment, 'id' | 'version' | 'commit'>

/** The same for a list of what is ahead. The message may be cut. */
export type Recent = Compared & Pick<Deployment, 'message'>

/** What is live in an environment and, if that can be ahead of a later one, the latest deployments to it. */
export type LiveEnvironment<One extends Compared = Recent> = {
  readonly deployment: Deployment
  readonly recent: readonly One[]
}

/** What the next environment does not have yet; `isMore` if there are more than `mostAhead`. */
export type Ahead<One extends Compared = Recent> = {
  readonly of: string
  readonly deployments: readonly One[]
  readonly isMore: boolean
}

export type BoardRow<One extends Compared = Recent> = {
  readonly deployment: Deployment
  readonly ahead: Ahead<One> | null
}

/** The rows of a project's board, in the order of `inOrder`. Takes what is live, the newest first. */
export function boardOf<One extends Compared>(
  live: readonly LiveEnvironment<One>[],
): readonly BoardRow<One>[] {
  const rows = inOrder(live, keyOf)
  return rows.map((one) => {
    const next = nextOf(one, rows)
    return { deployment: one.deployment, ahead: next === null ? null : aheadOf(one, next.deployment) }
  })
}

/** What is live at the next stage: in the same region if there is such an environment, but never in another region. */
function nextOf<One extends Compared>(
  { deployment: { environment } }: LiveEnvironment<One>,
  rows: readonly LiveEnvironment<One>[],
): LiveEnvironment<One> | null {
  const own = placeOf(environment)
  if (own === null) return null
  const later = rows
    .map((row) => ({ row, place: placeOf(row.deployment.environment) }))
    .filter(
      ({ place }) =>
        place !== null &&
        place.stage > own.stage &&
        (place.region === own.region || place.region === '' || own.region === ''),
    )
  const nearest = later.filter(({ place }) => place?.stage === later[0]?.place?.stage)
  return (nearest.find(({ place }) => place?.region === own.region) ?? nearest[0])?.row ?? null
}

/** What is live in an environment of a target. */
export type LiveInTarget = LiveEnvironment<Compared> & { readonly target: string }

export type EnvironmentTable = ReturnType<typeof environmentTable>

/**
 * The table of the live deployments, given the newest first. The columns are the `most` environments with the most
 * targets, in the order of a board, which also decides between environments with equally many.
 */
export function environmentTable(live: readonly LiveInTarget[], most: number) {
  const byEnvironment = Map.groupBy(live, keyOf)
  const all = inOrder([...byEnvironment], ([key]) => key)
  const used = all.toSorted(([, a], [, b]) => b.length - a.length).slice(0, most)
  const shown = new Set(used.map(([key]) => key))
  const columns = all.filter(([key]) => shown.has(key))
  const rows = [...Map.groupBy(live, ({ target }) => target)].map(([target, ofTarget]) => {
    const board = new Map(boardOf(ofTarget).map((row) => [keyOf(row), row]))
    return { target, cells: columns.map(([key]) => board.get(key) ?? null) }
  })
  return {
    /** As they are written in the newest deployment to each. */
    columns: columns.map(([key, [first]]) => first?.deployment.environment ?? key),
    /** The targets that are live in a column, the newest first, each with what is live in each column. */
    rows: rows.filter(({ cells }) => cells.some((cell) => cell !== null)),
    /** What is live in the environments that have no column, the newest first. */
    others: live.filter((one) => !shown.has(keyOf(one))),
    otherEnvironments: byEnvironment.size - shown.size,
  }
}

function keyOf({ deployment }: { readonly deployment: Deployment }): string {
  return environmentKey(deployment.environment ?? '')
}

/** The newest of the deployments to each environment. Takes and gives them with the newest first. */
export function newestByEnvironment(deployments: readonly Deployment[]): readonly Deployment[] {
  const byEnvironment = Map.groupBy(deployments, ({ environment = '' }) => environmentKey(environment))
  return [...byEnvironment.values()].flatMap((ofOne) => ofOne.slice(0, 1))
}

/** First those whose environment has a known order, in that order, then the others as they are given. */
export function inOrder<One>(all: readonly One[], environmentOf: (one: One) => string): readonly One[] {
  const stageIn = (one: One) => placeOf(environmentOf(one))?.stage
  return [
    ...stages.flatMap((_, stage) => all.filter((one) => stageIn(one) === stage)),
    ...all.filter((one) => stageIn(one) === undefined),
  ]
}

/** The index of an environment's stage, and its region, '' for none; null if its name is not known. */
function placeOf(environment = ''): { readonly stage: number; readonly region: string } | null {
  const words = environmentKey(environment).split(wordEnds, mostWords + 1)
  if (words.length > mostWords) return null
  for (const length of [2, 1]) {
    for (let first = 0; first + length <= words.length; first += 1) {
      const name = words.slice(first, first + length).join('-')
      const stage = stages.findIndex((names) => names.includes(name))
      const [before, after] = [words.slice(0, first), words.slice(first + length)]
      if (stage !== -1 && isRegion(before) && isRegion(after)) {
        return { stage, region: [...before, ...after].join('') }
      }
    }
  }
  return null
}

/** Whether words name a part of the world, such as `us-east-1`, `westeurope` or `eastus2`, or there are none. */
function isRegion(words: readonly string[]): boolean {
  return words.every((word, n) => {
    let rest = word.replace(/\d{1,2}$/, '')
    if (rest === '') return n > 0 && word !== ''
    while (rest !== '') {
      const part = regions.find((one) => rest.startsWith(one))
      if (part === undefined) return false
      rest = rest.slice(part.length)
    }
    return true
  })
}

/** What is newer here than the release that is live next or, if it is not among `recent`, than its deployment. */
function aheadOf<One extends Compared>({ recent }: LiveEnvironment<One>, next: Deployment): Ahead<One> {
  const same = recent.findIndex((one) => isSameRelease(one, next))
  const newer = same === -1 ? recent.filter(({ id }) => id > next.id) : recent.slice(0, same)
  const deployments = newer.slice(0, mostAhead)
  return { of: next.environment ?? '', deployments, isMore: newer.length > mostAhead }
}

/** Whether both have the same commit or, if one of them has none, the same version. */
function isSameRelease(one: Compared, other: Compared): boolean {
  if (one.commit !== undefined && other.commit !== undefined) {
    const [a, b] = [one.commit.toLowerCase(), other.commit.toLowerCase()]
    return a.startsWith(b) || b.startsWith(a)
  }
  return one.version !== undefined && one.version === other.version
}
