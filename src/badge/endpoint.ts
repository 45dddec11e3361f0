import { statusColours } from './palette.ts'
import { type BadgeStatus, label, words } from './status.ts'

/** A badge in the schema of shields' endpoint badge, https://shields.io/badges/endpoint-badge. */
export type Endpoint = {
  readonly schemaVersion: 1
  readonly label: string
  readonly message: string
  readonly color: string
  readonly isError: boolean
}

/** The facts of a badge for programs; shields draws the same badge from them (docs/decisions.md#badge). */
export function endpointOf(status: BadgeStatus): Endpoint {
  return {
    schemaVersion: 1,
    label,
    message: words[status],
    color: statusColours[status],
    isError: status === 'Unknown' || status === 'Unavailable',
  }
}
