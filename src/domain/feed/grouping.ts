import type { Deployment } from '../deployment.ts'
import { projectOf } from '../link.ts'
import { hour } from '../time.ts'
import { isByBot } from './bots.ts'

/** Whether the older of two neighbours continues the newer: by the same user, to the same project, within an hour. */
export function isOneRun(newer: Deployment, older: Deployment): boolean {
  if (newer.poster.username !== older.poster.username) return false
  if (newer.deployedAt.getTime() - older.deployedAt.getTime() > hour) return false
  const scope = projectOf(newer.url)?.scope
  return scope !== undefined && scope === projectOf(older.url)?.scope
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
