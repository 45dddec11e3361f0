import type { User } from '../../domain/account/user.ts'
import type { Issuer } from '../../domain/issuer.ts'
import type { SearchOnPages } from '../feed/search.ts'
import type { PageSlots } from './slots.ts'

/** What every page needs to know about the installation. */
export type Site = {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly registrationOpen: boolean
  /** Whether people sign in with a password, and not at a proxy in front of the service. */
  readonly hasPasswords: boolean
  /** How to reach the operator: a mail address, a link or plain text. */
  readonly operatorContact: string | null
  readonly sourceUrl: string | null
  /** The issuers whose pipelines may announce without a secret, and the audience of their tokens. */
  readonly issuers: readonly Issuer[]
  readonly audience: string
  /** What capabilities add to pages. */
  readonly slots: Required<PageSlots>
  /** Null if the feed cannot be searched. */
  readonly search: SearchOnPages | null
  /** Whether only members may read, and whether badges and years are public even so. */
  readonly membersOnly: boolean
  readonly publicBadges: boolean
  readonly assets: Assets
}

/** What every page is given. `viewer` is the user who is signed in. */
export type PageProps = { readonly site: Site; readonly viewer: User | null }

/** The addresses of the static files, with their content hash in them. */
export type Assets = {
  readonly css: string
  readonly htmx: string
  readonly app: string
  readonly favicon: string
  /** The additional files of wallboards. */
  readonly wall: { readonly css: string; readonly script: string }
}

/** The address of a contact, `https:`, `http:` or `mailto:`; null if there is no contact or it is plain text. */
export function contactAddress(contact: string | null): string | null {
  if (contact === null || /^https?:\/\/\S+$/.test(contact)) return contact
  return /^[^\s@:/]+@[^\s@:/]+$/.test(contact) ? `mailto:${contact}` : null
}
