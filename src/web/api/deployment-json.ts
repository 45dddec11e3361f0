import type { Deployment } from '../../domain/deployment.ts'
import { isImported } from '../../domain/history.ts'
import { timestampOf } from '../../domain/time.ts'

/**
 * A deployment as the API returns it (docs/decisions.md#announce). JSON omits fields that were not given. One
 * that was only checked has no id.
 */
export function recordOf<Id extends number | null>({
  id,
  message,
  url,
  category,
  deployedAt,
  poster,
  ...release
}: Omit<Deployment, 'id'> & { readonly id: Id }) {
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
    imported: id !== null && isImported(id) ? true : undefined,
  }
}

/** The same in a list, with the username and the address of its page. */
export function listedRecordOf(deployment: Deployment, baseUrl: string) {
  const { username } = deployment.poster
  return { ...recordOf(deployment), username, page: pageOf(deployment, baseUrl) }
}

/** The permanent address of a deployment. */
export function pageOf({ id, poster }: Pick<Deployment, 'id' | 'poster'>, baseUrl: string): string {
  return `${baseUrl}/${poster.username}/${id}`
}
