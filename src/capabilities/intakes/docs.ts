import type { DocsText } from '../../views/docs/docs-text.ts'
import { inDigits } from '../../views/parts/numbers.ts'
import markdown from './docs.md' with { type: 'text' }
import { keptCalls, mostWaiting } from './rules.ts'

export const intakesDocs: DocsText = {
  after: 'pinned',
  markdown,
  values: () => ({ texts: { mostWaiting: inDigits(mostWaiting), keptCalls: inDigits(keptCalls) } }),
}
