import type { Capability } from '../../capability.ts'
import markdown from './docs.md' with { type: 'text' }
import { projectSettings } from './routes.tsx'

/** Shows users how their links are read, and joins spellings of a project (docs/decisions.md#targets). */
export const joinedProjectsCapability: Capability = {
  name: 'joined-projects',
  configure: () => ({
    docs: { after: 'request', markdown },
    start: () => ({
      routes: projectSettings,
      settings: {
        id: 'projects',
        name: 'Projects',
        hint: 'How your last links were read, and which spellings are one project.',
      },
    }),
  }),
}
