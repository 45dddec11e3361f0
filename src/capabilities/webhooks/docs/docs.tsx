import { Html } from '@elysiajs/html'
import { maxHops } from '../../../domain/announcement/hops.ts'
import type { DocsText } from '../../../views/docs/docs-text.ts'
import { inDigits } from '../../../views/parts/numbers.ts'
import { Snippet } from '../../../views/parts/snippet.tsx'
import { keptDeliveries, oldSecretHours } from '../rules.ts'
import markdown from './docs.md' with { type: 'text' }
import receiver from './receiver.txt' with { type: 'text' }
import { tryTimes } from './receiving.ts'

export const webhooksDocs: DocsText = {
  after: 'follow',
  markdown,
  values: () => ({
    texts: {
      keptDeliveries: inDigits(keptDeliveries),
      oldSecretHours: inDigits(oldSecretHours),
      tryTimes,
      maxHops: inDigits(maxHops),
    },
    parts: { receiver: <Snippet id="receiver" label="A receiver, in Node.js" code={receiver.trimEnd()} /> },
  }),
}
