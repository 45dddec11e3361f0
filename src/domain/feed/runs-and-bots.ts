import { hour } from '../ages-and-days.ts'
import type { Deployment } from '../deployment.ts'
import { projectOf } from '../link.ts'

const botName = /\[bot\]|^(?:dependabot|renovate|weblate)\b/i

/** The title of an update that a program makes. A person may have announced it. */
const botTitle =
  /^[^\p{L}:]*(?::[a-z_]+:\s*)*(?:[a-z]\w*\(deps(?:-dev)?\)!?:|(?:[a-z]\w*: ?)?bump .+ from \S+ to \S+|translated using weblate)/iu

/** What programs write below: their signature, or Dependabot's list for other programs. */
const botMark = /^(?:Signed-off-by: .*\[bot\]|updated-dependencies:)/m

/** Whether a program made the change, so that lists fold it (docs/decisions.md#feed). */
export function isByBot({ poster, message }: Pick<Deployment, 'poster' | 'message'>): boolean {
  // Few messages have a mark, and this is faster than the expression.
  const mayHaveMark = message.includes('[bot]') || message.includes('updated-dependencies:')
  return botName.test(poster.name) || botTitle.test(message) || (mayHaveMark && botMark.test(message))
}

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
