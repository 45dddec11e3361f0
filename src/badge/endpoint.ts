import { type BadgeChoice, usualChoice } from './choice.ts'
import { type BadgeFacts, faceOf } from './face.ts'

/** A badge in the schema of shields' endpoint badge, https://shields.io/badges/endpoint-badge. */
export type Endpoint = {
  readonly schemaVersion: 1
  readonly label: string
  readonly message: string
  readonly color: string
  readonly isError: boolean
}

/** The facts of a badge for programs; shields draws the same badge from them (docs/decisions.md#badge). */
export function endpointOf(facts: BadgeFacts, choice: BadgeChoice = usualChoice): Endpoint {
  const { label, word, colour } = faceOf(facts, choice)
  const isError = facts.status === 'Unknown' || facts.status === 'Unavailable'
  return { schemaVersion: 1, label, message: word, color: colour, isError }
}
