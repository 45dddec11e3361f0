import type { DeploymentDay } from './overview.ts'

/**
 * How many days in a row saw a deployment, up to today, or up to yesterday: today is not over yet. Takes the
 * days in their order and the number of today.
 */
export function streakOf(days: readonly DeploymentDay[], today: number): number {
  const deployed = new Set(days.map(({ day }) => day))
  const last = deployed.has(today) ? today : today - 1
  let length = 0
  while (deployed.has(last - length)) length += 1
  return length
}
