import { Html } from '@elysiajs/html'
import { type Issuer, issuerName } from '../../domain/issuer.ts'
import type { DocsText } from '../../views/docs/docs-text.ts'
import { secretlessSnippets } from '../../views/parts/pipeline-snippets.ts'
import { SnippetTabs } from '../../views/parts/snippet.tsx'
import markdown from './docs.md' with { type: 'text' }

/** British, because American lists have a comma before "and". */
const list = new Intl.ListFormat('en-GB')

/** What pipelines of these issuers have to do, whose tokens are for this audience. */
export function publishersDocs(issuers: readonly Issuer[], audience: string): DocsText {
  return {
    after: 'pinned',
    markdown,
    values: (reader) => ({
      texts: { audience, issuers: list.format(issuers.map(issuerName)) },
      parts: {
        secretless: (
          <SnippetTabs
            name="secretless"
            legend="Where it runs"
            snippets={secretlessSnippets({ ...reader, audience })}
          />
        ),
      },
    }),
  }
}
