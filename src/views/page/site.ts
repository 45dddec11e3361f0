import type { Issuer } from '../../domain/publisher/issuer.ts'

/** What every page needs to know of the installation; `baseUrl` has no trailing slash. */
export type Site = {
  readonly baseUrl: string
  readonly registrationOpen: boolean
  /** How to reach whoever runs this: a mail address, a link or words. */
  readonly operatorContact: string | null
  /** Where the source of this installation is. */
  readonly sourceUrl: string | null
  /** Whose pipelines may announce without a secret, and what their tokens are for. */
  readonly issuers: readonly Issuer[]
  readonly audience: string
  readonly assets: Assets
}

/** The addresses of the static files, with their content hash in them. */
export type Assets = {
  readonly css: string
  readonly htmx: string
  readonly sse: string
  readonly app: string
  readonly favicon: string
  /** What wallboards have besides. */
  readonly wall: { readonly css: string; readonly script: string }
}
