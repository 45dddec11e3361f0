import type { Deployment } from '../../domain/deployment.ts'
import { timestampOf } from '../../domain/time.ts'

/** A deployment as the API tells it (docs/decisions.md#announce); JSON leaves out what was not given. */
export function recordOf({ id, message, url, category, deployedAt, poster, ...release }: Deployment) {
  const { environment, version, commit } = release
  return {
    id,
    message,
    url,
    category,
    environment,
    version,
    commit,
    deployed_at: timestampOf(deployedAt),
    user: { id: poster.id, name: poster.name },
    status: 'success',
  }
}

/** The same in a list, with the address of its page and the username, which `user` has no room for. */
export function listedRecordOf(deployment: Deployment, baseUrl: string) {
  const { username } = deployment.poster
  return { ...recordOf(deployment), username, page: `${baseUrl}/${username}/${deployment.id}` }
}
