import type { Deployment } from '../deployment.ts'
import { stageOf } from '../environment/stages.ts'
import { projectOf } from '../link.ts'
import { isSameRelease, shortCommit } from '../release/release.ts'
import { scopeOf, targetOfDeployment } from '../target.ts'
import { hour } from '../time.ts'
import { isByBot } from './bots.ts'
import { environmentOf } from './release-train.ts'

/** Whether the older of two neighbours continues the newer: by the same user, to the same project, within an hour. */
export function isOneRun(newer: Deployment, older: Deployment): boolean {
  if (newer.poster.username !== older.poster.username) return false
  if (newer.deployedAt.getTime() - older.deployedAt.getTime() > hour) return false
  const scope = projectOf(newer)?.scope
  return scope !== undefined && scope === projectOf(older)?.scope
}

/** Groups the deployments of a list, in its order: successive ones of bots together, and every other one by itself. */
export function groupsOf(deployments: readonly Deployment[]): [Deployment, ...Deployment[]][] {
  const groups: [Deployment, ...Deployment[]][] = []
  let isAfterBot = false
  for (const deployment of deployments) {
    const isBot = isByBot(deployment)
    if (isBot && isAfterBot) groups.at(-1)?.push(deployment)
    else groups.push([deployment])
    isAfterBot = isBot
  }
  return groups
}

/** The most stops of a release in one row of a list. */
const maxStops = 8

/** Stops of one release, the newest first, of which a list shows those of a day as one row. */
type ReleaseRow = readonly [Deployment, ...Deployment[]]

/**
 * The rows of the releases that travel, by each of their stops: deployments by one user to one project that are the same
 * release, each in another environment, and none at an earlier stage than one before it. Takes the deployments of a
 * list in its order, and leaves out those of bots.
 */
export function rowsIn(deployments: readonly Deployment[]): ReadonlyMap<Deployment, ReleaseRow> {
  const rows = new Map<Deployment, [Deployment, ...Deployment[]]>()
  const latest = new Map<string, [Deployment, ...Deployment[]]>()
  for (const deployment of deployments) {
    const names = isByBot(deployment) ? [] : namesOf(deployment)
    const row = names.map((name) => latest.get(name)).find((row) => row && isNext(deployment, row))
    row?.push(deployment)
    const own = row ?? [deployment]
    for (const name of names) latest.set(name, own)
    rows.set(deployment, own)
  }
  return rows
}

/** The keys by which a release of a user and project is found; none of a deployment that cannot be a stop. */
function namesOf(deployment: Deployment): string[] {
  const { environment, version, commit, poster } = deployment
  if (environment === undefined || (version ?? commit) === undefined) return []
  const target = targetOfDeployment(deployment)
  if (target === null) return []
  const of = `${poster.id} ${scopeOf(target)}`
  const names = commit === undefined ? [] : [`${of} ^${shortCommit(commit)?.toLowerCase()}`]
  return version === undefined ? names : [...names, `${of} v${version}`]
}

function isNext(older: Deployment, row: ReleaseRow): boolean {
  if (row.length === maxStops) return false
  return row.every((one) => isSameRelease(one, older) && isOnward(older, one))
}

/** Whether a release may have come to the environment of `to` from that of `from`: never back from a later stage. */
function isOnward(from: Deployment, to: Deployment): boolean {
  const order = to.poster.environmentOrder
  const [fromStage, toStage] = [from, to].map(({ environment = '' }) => stageOf(environment, order))
  if (environmentOf(from) === environmentOf(to)) return false
  return fromStage == null || toStage == null || fromStage <= toStage
}
