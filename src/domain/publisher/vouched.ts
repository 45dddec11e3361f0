import type { Verification } from '../deployment.ts'
import { parseReleaseField, type Release, type ReleaseField } from '../release.ts'
import type { Identity } from './claims.ts'
import { forgeOf, type Issuer } from './issuer.ts'

/** What an identity says of the announcements with its token (docs/decisions.md#publishers). */
export type Vouched = {
  /** Fills what an announcement leaves out. */
  readonly release: Release
  /** The address of the repository without its scheme, below which links are verified; null if the issuer is no forge. */
  readonly verifies: string | null
  readonly verified: Verification
}

/** What the identity of a job of this issuer vouches for. A text that no announcement could have is left out. */
export function vouchedBy(issuer: Issuer, identity: Identity): Vouched {
  const { repository, workflow, environment, commit, tag } = identity
  return {
    release: {
      environment: textFor('environment', environment),
      version: textFor('version', tag),
      commit: textFor('commit', commit),
    },
    verifies: addressOf(forgeOf(issuer), repository),
    verified: { issuer: issuer.address, repository, workflow },
  }
}

function textFor(name: ReleaseField, text: string | null): string | undefined {
  const read = parseReleaseField(name, text ?? '')
  return read.outcome === 'valid' ? read.value : undefined
}

/** Null for a name that no repository can have, which could make a link seem to lie below it. */
function addressOf(forge: string | null, repository: string): string | null {
  const isName = /^[\w.~-]+(\/[\w.~-]+)+$/.test(repository) && !/(^|\/)\.{1,2}(\/|$)/.test(repository)
  return forge !== null && isName ? `${forge}/${repository}`.toLowerCase() : null
}
