import type { DocsText } from '../../views/docs/docs-text.ts'
import markdown from './docs.md' with { type: 'text' }

export const environmentsDocs: DocsText = { after: 'follow', markdown }
