import type { Facets } from '../../domain/feed/facets.ts'

/** How pages offer to search the feed. */
export type SearchOnPages = {
  /** The form above a list of the feed with these facets. */
  readonly Form: (props: { by: Facets }) => JSX.Element
  /** The form on the page that refuses a search, to change its text. The sentence that refuses it is `#advice`. */
  readonly Again: (props: { text: string }) => JSX.Element
  /** What one can search for, for the panel of shortcuts. */
  readonly examples: readonly (readonly [typed: string, meaning: string])[]
  /** Where to search, for lists that take no `?q=`: a sentence after a space. */
  readonly advice: string
}
