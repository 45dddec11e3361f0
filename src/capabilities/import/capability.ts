import type { Capability } from '../../capability.ts'
import { importDocs } from './docs.tsx'
import { importDescription } from './openapi.ts'
import { importing } from './routes.ts'
import { historyStep } from './step.tsx'

/** Announces the past of a repository (docs/decisions.md#history). */
export const importsCapability: Capability = {
  name: 'import',
  configure: () => ({
    docs: importDocs,
    openApi: importDescription,
    start: () => ({
      routes: importing,
      opened: { '/api/history': 'all', '/ci/history.sh': 'all' },
      slots: historyStep,
    }),
  }),
}
