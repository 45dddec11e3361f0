import type { Capability } from '../../capability.ts'
import { releaseList } from './api.ts'
import markdown from './docs.md' with { type: 'text' }
import { releaseLinks } from './links.tsx'
import { releasesDescription } from './openapi.ts'
import { releasesBelow } from './routes.tsx'

/** The releases of a project, and how each of them travels. */
export const releasesCapability: Capability = {
  name: 'releases',
  configure: () => ({
    docs: { after: 'follow', markdown },
    openApi: releasesDescription,
    start: ({ db }) => ({
      opened: { '/api/releases': 'token' },
      routes: releaseList,
      belowProjects: releasesBelow(db),
      slots: releaseLinks,
    }),
  }),
}
