import type { Capability } from '../../capability.ts'
import markdown from './docs.md' with { type: 'text' }
import { type Aside, indexWords } from './indexing.ts'
import { searchDescription } from './openapi.ts'
import { searchIn } from './routes.ts'

/** Finds deployments by their words (docs/decisions.md#search). */
export const searchCapability: Capability = {
  name: 'search',
  configure: () => ({
    docs: { after: 'follow', markdown },
    openApi: searchDescription,
    start({ db }) {
      const aside: Aside = new Map()
      // Until it runs, a search reads the newest deployments one by one, and words of withdrawn ones are kept.
      return { search: searchIn(db), jobs: [{ every: 10, work: (db) => indexWords(db, aside) }] }
    },
  }),
}
