import { Html } from '@elysiajs/html'
import { importLimits } from '../../domain/imported.ts'
import type { DocsText } from '../../views/docs/docs-text.ts'
import { inDigits } from '../../views/parts/numbers.ts'
import { Snippet } from '../../views/parts/snippet.tsx'
import markdown from './docs.md' with { type: 'text' }
import { curlHistoryScript } from './step.tsx'

export const importDocs: DocsText = {
  after: 'categories',
  markdown,
  values: ({ baseUrl }) => ({
    texts: {
      historyItems: inDigits(importLimits.items),
      historyBytes: inDigits(importLimits.bytes),
      historyOfUser: inDigits(importLimits.ofUser),
      historyADay: inDigits(importLimits.aDay),
      historyASecond: inDigits(importLimits.aSecond),
    },
    parts: {
      historyScript: (
        <Snippet id="history-script" label="In a checkout" code={curlHistoryScript(baseUrl)} isOneLine />
      ),
      history: <Snippet id="add-history" label="Two releases" code={curlWithHistory(baseUrl)} />,
    },
  }),
}

/** Two releases from before the first announcement, as JSON. */
function curlWithHistory(baseUrl: string): string {
  return `curl ${baseUrl}/api/history \\
  -H "Authorization: Bearer $SHIPFEED_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '[{"message": "Saved searches", "version": "v2.4.0", "url": "https://github.com/ada/engine/releases/tag/v2.4.0", "deployed_at": "2024-03-12T14:03:22Z"},
       {"message": "Faster badges", "version": "v2.3.0", "url": "https://github.com/ada/engine/releases/tag/v2.3.0", "deployed_at": "2024-02-27T09:30:00+01:00"}]'`
}
