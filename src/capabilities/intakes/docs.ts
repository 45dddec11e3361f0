import type { DocsText } from '../../views/docs/docs-text.ts'
import { inDigits } from '../../views/parts/numbers.ts'
import markdown from './docs.md' with { type: 'text' }
import { keptCalls, maxWaiting } from './rules.ts'

export const intakesDocs: DocsText = {
  after: 'pinned',
  markdown,
  values: () => ({ texts: { maxWaiting: inDigits(maxWaiting), keptCalls: inDigits(keptCalls) } }),
}
