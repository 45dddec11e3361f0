import { type Deployment, recordOf } from '../../domain/deployment.ts'
import { type LiveEnvironment, lackingIn } from '../../domain/environments.ts'

type Side = LiveEnvironment<Deployment>

/** What `from` has and `to` lacks, each given with the latest deployments to its environment, up to it. */
export function comparisonOf(from: Side, to: Side, baseUrl: string) {
  const { deployments, isMore, compare } = lackingIn(to, from)
  return {
    from: recordOf(from.deployment, baseUrl),
    to: recordOf(to.deployment, baseUrl),
    deployments: deployments.map((one) => recordOf(one, baseUrl)),
    more: isMore,
    compare,
  }
}
